/** One pass over a layer, and what a mode has to do in it. */
import type { AttentionRule } from './rules.ts';

/** `rows` queries at positions nPast .. nPast + rows - 1. */
export interface AttentionPass {
  layer: number;
  rows: number;
  nPast: number;
  rule: AttentionRule;
}

/** How a mode other than `full` attends. One per thread; an instance may keep scratch memory. */
export interface ModeAttention {
  /** Makes what all rows of a KV head's group share; done for each KV head before any `attend` of the pass. */
  prepare(pass: AttentionPass, kvHead: number): void;
  /** Output of one query head for rows [first, end) of the pass, at most TILE_ROWS of them. */
  attend(pass: AttentionPass, head: number, first: number, end: number): void;
}

/** Rows of a tile: small enough that its score rows stay in cache, large enough to pay for packing the keys. */
export const TILE_ROWS = 64;
