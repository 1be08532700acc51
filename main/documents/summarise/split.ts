/** Cuts a document into sections that fit a prompt, along its structure. Every block is in exactly one section. */
import type { Block } from './blocks.ts';

/** A heading's section that is smaller than this share of the room is put together with its neighbours. */
const SMALL = 0.35;
/** At most this share of the room repeats the end of the section before, where a cut is not at a heading. */
const OVERLAP = 0.06;

/** A block with its length in tokens. */
export interface CountedBlock extends Block {
  readonly tokens: number;
}

export interface Section {
  /** The headings that it stands under and the first in it, or empty in a text without any. */
  readonly title: string;
  /** First and last page. */
  readonly pages: readonly [number, number];
  readonly blocks: readonly CountedBlock[];
  /** The end of the section before, repeated so that a thought is not cut in two; not counted as read again. */
  readonly overlap: readonly CountedBlock[];
  /** Of `blocks`. */
  readonly tokens: number;
}

/**
 * Sections of at most `room` tokens, overlap included. A cut is made before the highest heading that leaves a section of
 * a sensible size, else between blocks. A block that is longer than the room stands alone, for the caller to deal with.
 */
export function splitSections(blocks: readonly CountedBlock[], room: number): readonly Section[] {
  const parts = cutAtHeadings(blocks, room * (1 - OVERLAP), 1);
  const path: string[] = [];
  return parts.map((part, index): Section => {
    const title = titleOf(part, path);
    const before = parts[index - 1];
    return {
      title,
      pages: [part[0]?.page ?? 0, part.at(-1)?.page ?? 0],
      blocks: part,
      overlap: before === undefined || part[0]?.heading !== undefined ? [] : endOf(before, room * OVERLAP),
      tokens: tokensOf(part),
    };
  });
}

/** Parts of at most `room` tokens: along headings of `level`, and where a part is too large, along those below. */
function cutAtHeadings(blocks: readonly CountedBlock[], room: number, level: number): CountedBlock[][] {
  if (tokensOf(blocks) <= room) return blocks.length === 0 ? [] : [[...blocks]];
  const deepest = Math.max(0, ...blocks.map(({ heading }) => heading?.level ?? 0));
  if (level > deepest) return pack(blocks, room);
  const parts: CountedBlock[][] = [[]];
  for (const block of blocks) {
    if (block.heading !== undefined && block.heading.level <= level && parts.at(-1)?.length !== 0) parts.push([]);
    parts.at(-1)?.push(block);
  }
  return merged(
    parts.flatMap((part) => cutAtHeadings(part, room, level + 1)),
    room,
  );
}

/** Puts small neighbours together while they fit. */
function merged(parts: readonly CountedBlock[][], room: number): CountedBlock[][] {
  const result: CountedBlock[][] = [];
  for (const part of parts) {
    const last = result.at(-1);
    const small = Math.min(tokensOf(part), last === undefined ? Infinity : tokensOf(last)) < room * SMALL;
    if (last !== undefined && small && tokensOf(last) + tokensOf(part) <= room) last.push(...part);
    else result.push([...part]);
  }
  return result;
}

/** Parts of about equal size, as few as possible. */
function pack(blocks: readonly CountedBlock[], room: number): CountedBlock[][] {
  const total = tokensOf(blocks);
  const wanted = total / Math.ceil(total / room);
  const parts: CountedBlock[][] = [];
  let part: CountedBlock[] = [];
  let tokens = 0;
  for (const block of blocks) {
    const full = tokens + block.tokens > room || tokens + block.tokens / 2 > wanted;
    if (part.length > 0 && full) {
      parts.push(part);
      part = [];
      tokens = 0;
    }
    part.push(block);
    tokens += block.tokens;
  }
  if (part.length > 0) parts.push(part);
  return parts;
}

/** `path` holds the open headings by level and is brought up to the end of the part. */
function titleOf(part: readonly CountedBlock[], path: string[]): string {
  const above = path.filter(Boolean);
  let title: string | undefined;
  for (const { heading } of part) {
    if (heading === undefined) continue;
    path.length = Math.min(path.length, heading.level - 1);
    path[heading.level - 1] = heading.title;
    title ??= path.filter(Boolean).join(' › ');
  }
  // A part that goes on under an open heading and only later begins another belongs to the open one first.
  return part[0]?.heading === undefined && above.length > 0 ? above.join(' › ') : (title ?? above.join(' › '));
}

/** The last blocks that have no more than `tokens` together. */
function endOf(blocks: readonly CountedBlock[], tokens: number): readonly CountedBlock[] {
  let left = tokens;
  let from = blocks.length;
  while (from > 0 && (blocks[from - 1]?.tokens ?? Infinity) <= left) {
    from -= 1;
    left -= blocks[from]?.tokens ?? 0;
  }
  return blocks.slice(from);
}

function tokensOf(blocks: readonly CountedBlock[]): number {
  return blocks.reduce((sum, { tokens }) => sum + tokens, 0);
}
