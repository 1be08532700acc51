/** Finds tokens that stand in a text as they are (control and user-defined ones): the leftmost, and of those the longest. */

export type Segment = { kind: 'text'; text: string } | { kind: 'token'; id: number };

export class MarkerScanner {
  /** First UTF-16 unit -> markers that begin with it, longest first. */
  readonly #byFirst = new Map<number, { text: string; id: number }[]>();

  constructor(markers: Iterable<readonly [string, number]>) {
    for (const [text, id] of markers) {
      const first = text.charCodeAt(0);
      const list = this.#byFirst.get(first);
      if (list) list.push({ text, id });
      else this.#byFirst.set(first, [{ text, id }]);
    }
    for (const list of this.#byFirst.values()) list.sort((a, b) => b.text.length - a.text.length);
  }

  /** The text cut at its markers, in order; empty texts are left out. */
  split(text: string): Segment[] {
    const segments: Segment[] = [];
    let start = 0;
    let at = 0;
    while (at < text.length) {
      const position = at;
      const found = this.#byFirst.get(text.charCodeAt(at))?.find((marker) => text.startsWith(marker.text, position));
      if (!found) {
        at++;
        continue;
      }
      if (at > start) segments.push({ kind: 'text', text: text.slice(start, at) });
      segments.push({ kind: 'token', id: found.id });
      at += found.text.length;
      start = at;
    }
    if (start < text.length) segments.push({ kind: 'text', text: text.slice(start) });
    return segments;
  }
}
