/**
 * Token ids to the text that an answer shows, piece by piece. What a piece-wise reader gets, joined, is what a reader of
 * the whole answer gets: a character is given out once all its bytes are there, and text that may turn out to be (part of)
 * a stop text is held back until it cannot.
 */

export interface StreamStep {
  /** Text that is new and final; may be empty. */
  text: string;
  /** A stop text is complete: the answer ends here. */
  stopped: boolean;
}

export class TextStream {
  readonly #tokens: { bytes(id: number): Uint8Array };
  readonly #stop: readonly string[];
  // A byte order mark in an answer is a character of it like any other.
  readonly #decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  #held = '';
  #ended = false;

  /** `tokens` gives the bytes of a token, none for control tokens. `stop`: texts that end the answer, none of them empty. */
  constructor(tokens: { bytes(id: number): Uint8Array }, stop: readonly string[]) {
    this.#tokens = tokens;
    this.#stop = stop;
  }

  /** Takes the next token. Bytes that can never become a character come out as U+FFFD. Nothing comes after a stop text. */
  push(id: number): StreamStep {
    return this.#take(this.#decoder.decode(this.#tokens.bytes(id), { stream: true }));
  }

  /** Ends the answer and returns what was held back: the start of a stop text that did not come, a character cut short. */
  flush(): string {
    const { text } = this.#take(this.#decoder.decode());
    const rest = this.#held;
    this.#held = '';
    this.#ended = true;
    return text + rest;
  }

  #take(decoded: string): StreamStep {
    if (this.#ended) return { text: '', stopped: true };
    const all = this.#held + decoded;
    const stopAt = findStop(all, this.#stop);
    this.#ended = stopAt !== null;
    const safe = stopAt ?? all.length - heldLength(all, this.#stop);
    this.#held = this.#ended ? '' : all.slice(safe);
    return { text: all.slice(0, safe), stopped: this.#ended };
  }
}

/**
 * Where the stop text that is complete first begins, or null. "First" goes by its end, so that the cut does not depend on
 * how the text was split into tokens; of those that end together, the longest.
 */
function findStop(text: string, stops: readonly string[]): number | null {
  let start: number | null = null;
  let end = Number.POSITIVE_INFINITY;
  for (const stop of stops) {
    const at = text.indexOf(stop);
    if (at < 0) continue;
    const itsEnd = at + stop.length;
    if (itsEnd < end || (itsEnd === end && at < (start ?? at))) {
      start = at;
      end = itsEnd;
    }
  }
  return start;
}

/** Length of the longest end of `text` with which a stop text begins. */
function heldLength(text: string, stops: readonly string[]): number {
  let longest = 0;
  for (const stop of stops) {
    for (let length = Math.min(stop.length - 1, text.length); length > longest; length--) {
      if (text.endsWith(stop.slice(0, length))) {
        longest = length;
        break;
      }
    }
  }
  return longest;
}
