/**
 * Text to ids for SentencePiece BPE vocabularies (tokenizer.ggml.model = llama): of all neighbours whose joined text is a
 * token, the one with the best score is joined first, the leftmost among equals. Most such files carry scores, not merges,
 * and equal scores cannot be told by ranks, so this is done here rather than by @huggingface/tokenizers.
 */
import type { TextEncoding } from './bpe.ts';
import { TokenType, type Vocabulary } from './vocabulary.ts';

const SPACE = '\u2581'; // how SentencePiece writes a space
const encoder = new TextEncoder();

interface Candidate {
  score: number;
  left: number;
  right: number;
  /** Length of the joined text when it was found; another length now means that one side has changed since. */
  length: number;
}

/** How good it is to join two neighbours, higher is better; undefined: they are never joined. */
type PairScore = (left: string, right: string) => number | undefined;

/** By the score of the token that two make together, as SentencePiece does it. `scores` are per id. */
export function scoreOfToken({ ordinary }: Vocabulary, scores: readonly number[]): PairScore {
  return (left, right) => {
    const id = ordinary.get(left + right);
    const score = id === undefined ? undefined : scores[id];
    return score === Number.NEGATIVE_INFINITY ? undefined : score;
  };
}

/** By the rank of the merge "left right", for files that carry merges, best first, in place of scores. */
export function scoreOfMerge({ ordinary }: Vocabulary, merges: readonly string[]): PairScore {
  const ranks = new Map<string, number>();
  merges.forEach((merge, rank) => {
    const cut = merge.indexOf(' ', 1);
    // A merge into a token that text may not become would swallow the text.
    if (!ranks.has(merge) && ordinary.has(merge.slice(0, cut) + merge.slice(cut + 1))) ranks.set(merge, -rank);
  });
  return (left, right) => ranks.get(`${left} ${right}`);
}

/** `unknownId` stands for characters that are neither tokens nor have byte tokens. */
export function createSentencePiece(
  vocabulary: Vocabulary,
  score: PairScore,
  options: { addSpacePrefix: boolean; unknownId: number | undefined },
): TextEncoding {
  const { ordinary, tokens, types } = vocabulary;
  const byteIds = new Map<number, number>();
  tokens.forEach((text, id) => {
    const match = types[id] === TokenType.byte ? /^<0x([0-9A-Fa-f]{2})>$/.exec(text) : null;
    if (match?.[1] !== undefined) byteIds.set(Number.parseInt(match[1], 16), id);
  });

  const fallback = (char: string): number[] => {
    const ids = Array.from(encoder.encode(char), (byte) => byteIds.get(byte));
    const known = ids.filter((id) => id !== undefined);
    if (known.length === ids.length) return known;
    return options.unknownId === undefined ? [] : [options.unknownId];
  };

  const lossless = byteIds.size === 256 || options.unknownId !== undefined;
  return {
    encode(text, afterToken) {
      if (text === '') return [];
      const spaced = (afterToken && options.addSpacePrefix ? ` ${text}` : text).replaceAll(' ', SPACE);
      const ids: number[] = [];
      for (const piece of joinByScore(spaced, score)) {
        const id = ordinary.get(piece);
        if (id === undefined) ids.push(...fallback(piece));
        else ids.push(id);
      }
      return ids;
    },
    warnings: lossless
      ? []
      : [`The vocabulary has ${byteIds.size} of the 256 byte tokens and no unknown token; other characters are lost.`],
  };
}

function joinByScore(text: string, scoreOf: PairScore): string[] {
  const parts: string[] = Array.from(text);
  const next = parts.map((_, i) => (i + 1 < parts.length ? i + 1 : -1));
  const previous = parts.map((_, i) => i - 1);
  const queue = new CandidateQueue();
  const offer = (left: number, right: number): void => {
    if (left < 0 || right < 0) return;
    const [leftText = '', rightText = ''] = [parts[left], parts[right]];
    const score = scoreOf(leftText, rightText);
    if (score !== undefined) queue.push({ score, left, right, length: leftText.length + rightText.length });
  };

  for (let i = 0; i + 1 < parts.length; i++) offer(i, i + 1);
  for (let best = queue.pop(); best; best = queue.pop()) {
    const { left, right, length } = best;
    const leftText = parts[left] ?? '';
    const rightText = parts[right] ?? '';
    if (leftText === '' || rightText === '' || leftText.length + rightText.length !== length) continue;
    parts[left] = leftText + rightText;
    parts[right] = '';
    const after = next[right] ?? -1;
    next[left] = after;
    if (after >= 0) previous[after] = left;
    offer(previous[left] ?? -1, left);
    offer(left, after);
  }
  return parts.filter((part) => part !== '');
}

/** Binary heap: greatest score first, then the leftmost. */
class CandidateQueue {
  readonly #heap: Candidate[] = [];

  push(item: Candidate): void {
    const heap = this.#heap;
    let at = heap.length;
    heap.push(item);
    while (at > 0) {
      const above = (at - 1) >> 1;
      const other = heap[above];
      if (!other || !before(item, other)) break;
      heap[at] = other;
      at = above;
    }
    heap[at] = item;
  }

  pop(): Candidate | undefined {
    const heap = this.#heap;
    const top = heap[0];
    const last = heap.pop();
    if (!top || !last || heap.length === 0) return top;
    let at = 0;
    for (;;) {
      let below = 2 * at + 1;
      let child = heap[below];
      if (!child) break;
      const sibling = heap[below + 1];
      if (sibling && before(sibling, child)) {
        child = sibling;
        below++;
      }
      if (!before(child, last)) break;
      heap[at] = child;
      at = below;
    }
    heap[at] = last;
    return top;
  }
}

function before(a: Candidate, b: Candidate): boolean {
  return a.score > b.score || (a.score === b.score && a.left < b.left);
}
