/**
 * `block`: 64 x 64 block-sparse attention. A block of rows keeps the key blocks whose mean key has the greatest product
 * with its mean query, and always the block on the diagonal (reference: block_mask). Kept blocks attend densely.
 */
import type { NativeAddon } from '../../../../native/js/index.ts';
import type { HeadMemory } from '../head-memory.ts';
import { keepCount } from '../keep-count.ts';
import { grown } from '../kept-keys.ts';
import type { AttentionPass, ModeAttention } from '../pass.ts';

/** Rows and keys of a block. Block b holds positions b * BLOCK .. b * BLOCK + BLOCK - 1, whatever the chunks are. */
const BLOCK = 64;

export class Block implements ModeAttention {
  private readonly native: NativeAddon;
  private readonly memory: HeadMemory;
  private scores = new Float32Array(0);
  private k = new Float32Array(0);
  private v = new Float32Array(0);

  constructor(native: NativeAddon, memory: HeadMemory) {
    this.native = native;
    this.memory = memory;
  }

  /** Nothing is shared: the mean query belongs to one head. */
  prepare(): void {}

  /** A tile whose rows lie in two blocks (after cache reuse) is attended in two parts, each with its own mean query. */
  attend(pass: AttentionPass, head: number, first: number, end: number): void {
    let from = first;
    while (from < end) {
      const diagonal = Math.floor((pass.nPast + from) / BLOCK);
      const to = Math.min(end, (diagonal + 1) * BLOCK - pass.nPast);
      this.attendBlock(pass, head, from, to, diagonal);
      from = to;
    }
  }

  /** Rows [from, to) of the pass, which all lie in block `diagonal`. */
  private attendBlock(pass: AttentionPass, head: number, from: number, to: number, diagonal: number): void {
    const { native, memory } = this;
    const { headDim } = memory.model.shape;
    const views = memory.kv(pass.layer, memory.kvHeadOf(head));
    const keys = pass.nPast + to;
    const size = BLOCK * headDim;
    const q = memory.queries(pass, head, from, to);

    const earlier = keepCount(pass.rule.ratio, diagonal + 1) - 1;
    this.scores = grown(this.scores, diagonal + 1);
    this.k = grown(this.k, (earlier + 1) * size);
    this.v = grown(this.v, (earlier + 1) * size);
    const { scores } = this;
    const k = views.k.subarray(0, keys * headDim);
    const place = { layer: pass.layer, head, heads: 1, position: pass.nPast + from, rows: to - from };
    memory.recorder.time('pilot', place, () =>
      native.blockScores(q, k, scores, { rows: to - from, keys, headDim, block: BLOCK }),
    );
    const { recorder, keptCounts } = memory;
    let kept: number[] = [];
    recorder.time('topk', place, () => {
      kept = bestBlocks(scores, diagonal, earlier);
      const visible = keysOf([...kept, diagonal], keys);
      // Row r sees all of them but those of the rows after it.
      const counts = Int32Array.from({ length: place.rows }, (_, r) => visible.length - place.rows + r + 1);
      keptCounts.count(pass.layer, head, place.position, from, { indices: visible, counts, indexLd: 0 });
    });
    recorder.time('sparse', place, () => {
      // The diagonal is last among the kept blocks, so gathered keys are causal as they lie.
      kept.forEach((block, i) => {
        this.k.set(views.k.subarray(block * size, (block + 1) * size), i * size);
        this.v.set(views.v.subarray(block * size, (block + 1) * size), i * size);
      });
      const tail = views.k.subarray(diagonal * size, keys * headDim);
      this.k.set(tail, kept.length * size);
      this.v.set(views.v.subarray(diagonal * size, keys * headDim), kept.length * size);
      const length = kept.length * size + tail.length;
      const shape = {
        rows: place.rows,
        nPast: length / headDim - place.rows,
        headDim,
        outStride: memory.outStride,
        scale: memory.model.scale,
      };
      const out = memory.outputs(head, from, to);
      native.fullAttention(q, this.k.subarray(0, length), this.v.subarray(0, length), out, shape);
    });
  }
}

/** Positions of the keys of ascending blocks, below `end`. */
function keysOf(blocks: readonly number[], end: number): Int32Array {
  const keys = blocks.flatMap((block) => Array.from({ length: BLOCK }, (_, i) => block * BLOCK + i));
  return Int32Array.from(keys.filter((key) => key < end));
}

/** The `count` best of blocks 0 .. before - 1, ascending: larger score first, then lower index. */
function bestBlocks(scores: Float32Array, before: number, count: number): number[] {
  const score = (block: number) => scores[block] ?? Number.NEGATIVE_INFINITY;
  return Array.from({ length: before }, (_, block) => block)
    .sort((a, b) => score(b) - score(a) || a - b)
    .slice(0, count)
    .sort((a, b) => a - b);
}
