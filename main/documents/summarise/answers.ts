/** What small models do to an answer, and how it is put right or recognised as of no use. */

/** A text that repeats itself this often says nothing any more. */
const REPEATED = 3;

/** Without an unfinished last line of a list, without lines that came before, and without remarks about the task. */
export function cleanAnswer(text: string, cut: boolean): string {
  let lines = text
    .replace(/^\s*(?:here(?:['’]s| (?:is|are))|sure|以下是)[^\n:：]{0,120}[:：]\s*(?:\n|$)/i, '')
    .split('\n');
  if (cut && lines.length > 1 && !/[.!?。！？]["'”’」]?\s*$/.test(lines.at(-1) ?? '')) lines = lines.slice(0, -1);
  const seen = new Set<string>();
  const kept = lines.filter((line) => {
    const key = line
      .replace(/^\s*(?:[-*•]|\d+[.)])\s*/, '')
      .trim()
      .toLowerCase();
    if (key === '') return true;
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
  return kept.join('\n').trim();
}

/** Empty, going in circles, or nothing but a piece of the text itself. */
export function isUseless(answer: string, source: string): boolean {
  const bare = answer.replaceAll(/[\s\p{P}]+/gu, ' ').trim();
  if (bare.length < 4) return !/^(?:无|no)/i.test(bare);
  return circles(bare) || (bare.length > 200 && source.replaceAll(/[\s\p{P}]+/gu, ' ').includes(bare));
}

/** A run of words or characters at the end that comes again and again. */
function circles(text: string): boolean {
  for (const length of [12, 24, 48, 96]) {
    const end = text.slice(-length);
    if (end.length === length && text.endsWith(end.repeat(REPEATED))) return true;
  }
  return new RegExp(`(.{4,60}?)\\1{${REPEATED},}$`, 'u').test(text.slice(-400));
}
