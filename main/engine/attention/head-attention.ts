/**
 * Attention of one layer, cut into tasks that any thread can do: `prepare` per KV head, then `attend` per query head and
 * tile of rows. Runs on the engine thread and on the workers alike; a thread has one HeadAttention with its own scratch.
 */
import type { AttentionMode } from '../../../contract/engine.ts';
import type { NativeAddon } from '../../../native/js/index.ts';
import { windowOf } from '../model/config.ts';
import { attendDense } from './dense.ts';
import type { HeadMemory } from './head-memory.ts';
import { Block } from './modes/block.ts';
import { FusedShadow } from './modes/fused-shadow.ts';
import { NpuFull } from './modes/npu-full.ts';
import { PilotTopk } from './modes/pilot-topk.ts';
import { Sparse } from './modes/sparse.ts';
import { type AttentionPass, type ModeAttention, TILE_ROWS } from './pass.ts';
import { type AttentionRule, isDense, isFused } from './rules.ts';

export class HeadAttention {
  private readonly native: NativeAddon;
  private readonly memory: HeadMemory;
  private readonly modes: Record<Exclude<AttentionMode, 'full'>, ModeAttention>;
  private readonly pilotTopk: ModeAttention;

  constructor(native: NativeAddon, memory: HeadMemory) {
    this.native = native;
    this.memory = memory;
    this.modes = {
      sparse: new Sparse(native, memory),
      block: new Block(native, memory),
      'npu-full': new NpuFull(native, memory),
      shadow: new FusedShadow(native, memory),
    };
    this.pilotTopk = new PilotTopk(native, memory);
  }

  prepare(pass: AttentionPass, kvHead: number): void {
    this.modeOf(pass.rule).prepare(pass, kvHead);
  }

  /** Output of one query head for one tile of rows, into its columns of `att`. */
  attend(pass: AttentionPass, head: number, tile: number): void {
    const first = tile * TILE_ROWS;
    const end = Math.min(first + TILE_ROWS, pass.rows);
    const sparseEnd = isDense(pass.rule) ? first : Math.max(first, Math.min(end, pass.rule.denseFrom));
    if (sparseEnd > first) this.modeOf(pass.rule).attend(pass, head, first, sparseEnd);
    if (end > sparseEnd) attendDense(this.native, this.memory, pass, head, sparseEnd, end);
  }

  /** One new position for the group of query heads of a KV head (decode). */
  decode(pass: AttentionPass, kvHead: number): void {
    const { memory } = this;
    const { group, model } = memory;
    const { headDim } = model.shape;
    const end = (pass.nPast + 1) * headDim;
    const keys = Math.min(pass.nPast + 1, windowOf(model.shape, pass.layer) || Number.POSITIVE_INFINITY);
    const first = end - keys * headDim;
    const { k, v } = memory.kv(pass.layer, kvHead);
    const place = { layer: pass.layer, head: kvHead * group, heads: group, position: pass.nPast, rows: 1 };
    memory.recorder.time('dense', place, () =>
      this.native.decodeAttention(
        memory.headQueries(pass, kvHead * group, group),
        k.subarray(first, end),
        v.subarray(first, end),
        memory.outputs(kvHead * group, 0, 1, group),
        { group, keys, headDim, scale: model.scale },
      ),
    );
  }

  private modeOf(rule: AttentionRule): ModeAttention {
    if (rule.mode === 'full') throw new RangeError('full attention is dense; it has no mode of its own');
    if (rule.mode === 'shadow' && !isFused(rule)) return this.pilotTopk;
    return this.modes[rule.mode];
  }
}
