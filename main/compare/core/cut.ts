/** The beginning of a text that fits. */

export interface CutText {
  text: string;
  /** Tokens of it, and of the whole. */
  used: number;
  of: number;
}

/** Cuts where a word ends, if one does. @param count tokens of a text; @param room at least 1 */
export async function cutText(whole: string, room: number, count: (text: string) => Promise<number>): Promise<CutText> {
  const of = await count(whole);
  let text = whole;
  let used = of;
  while (used > room) {
    // A little less than the share that fits: a text is not equally dense everywhere.
    text = beginning(text, Math.floor(((text.length * room) / used) * 0.995));
    used = await count(text);
  }
  return { text, used, of };
}

/** At most `length` UTF-16 units; never half a character. */
function beginning(text: string, length: number): string {
  const half = /[\ud800-\udbff]$/;
  const cut = text.slice(0, length).replace(half, '');
  const space = cut.search(/\s+\S*$/u);
  return space > cut.length * 0.9 ? cut.slice(0, space) : cut;
}
