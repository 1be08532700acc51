/** The points that a summary makes: its list items, or where it has none, its sentences. */

const ITEM = /^\s*(?:[-*+•·]|\d{1,3}[.)、])\s+/;
/** Sentences shorter than this say too little to be cited. In UTF-16 code units. */
const SHORTEST = 8;

/** Points in the words of the text, without list marks; headings are no points. */
export function pointsOf(text: string): string[] {
  const points: string[] = [];
  for (const line of text.split('\n')) {
    if (line.trim() === '' || /^\s*#{1,6}\s/.test(line)) continue;
    if (ITEM.test(line)) points.push(line.replace(ITEM, '').trim());
    else points.push(...sentencesOf(line));
  }
  return points.filter((point) => point.length >= SHORTEST);
}

function sentencesOf(line: string): string[] {
  const pieces = line.split(/(?<=[.!?…]["'”’)\]]*)\s+(?=[\p{Lu}\p{Lo}\p{N}"'“‘(])|(?<=[。！？…]["'”’」』）]*)/u);
  const sentences: string[] = [];
  for (const piece of pieces) {
    // What is short is no sentence, but an abbreviation before one or a word behind it.
    const last = sentences.at(-1);
    if (last !== undefined && (last.length < SHORTEST || piece.trim().length < SHORTEST)) {
      sentences[sentences.length - 1] = `${last} ${piece}`.trim();
    } else sentences.push(piece.trim());
  }
  return sentences;
}
