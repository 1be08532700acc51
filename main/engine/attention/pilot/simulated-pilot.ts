/**
 * A device that does not exist: right scores from the native INT8 kernel, there when a cost table says so, or later where this
 * machine needs longer for them. For trying plans and showing them; everything it does is labelled "simulated".
 */
import type { NativeAddon } from '../../../../native/js/index.ts';
import { OUTPUT_STEPS, ZERO_POINT } from '../../graph/pilot.ts';
import { stageClock } from '../../telemetry/trace-log.ts';
import { type CostTable, npuCost } from '../planner/costs.ts';
import { launchCost } from '../planner/timeline.ts';
import { type Launch, type PilotBackend, scoreRange } from './backend.ts';
import type { PilotMemory } from './pilot-memory.ts';

export class SimulatedPilot implements PilotBackend {
  private readonly native: NativeAddon;
  private readonly memory: PilotMemory;
  private readonly costs: CostTable;
  private readonly never = new Int32Array(new SharedArrayBuffer(4));
  /** KV head that `rows` holds the keys of. */
  private made = -1;
  private codes = new Int8Array(0);
  private rows = new Int8Array(0);
  private products = new Int32Array(0);

  constructor(native: NativeAddon, memory: PilotMemory, costs: CostTable) {
    this.native = native;
    this.memory = memory;
    this.costs = costs;
  }

  load(): void {}

  run(launch: Launch): void {
    const end = stageClock() + launchCost({ npu: npuCost(this.costs, launch.keys) }, launch.heads.length);
    this.made = -1;
    for (const [i, head] of launch.heads.entries()) this.score(launch, head, i);
    for (let left = end - stageClock(); left > 0; left = end - stageClock()) Atomics.wait(this.never, 0, 0, left);
  }

  close(): void {}

  private score(launch: Launch, head: number, index: number): void {
    const { layer, keys, paddedKeys, place } = launch;
    const { shape, chunkSize: rows } = this.memory;
    const { headDim, nHead, nHeadKv } = shape;
    if (this.products.length < rows * keys) {
      this.codes = new Int8Array(rows * headDim);
      this.rows = new Int8Array(Math.ceil(keys * headDim * 1.5));
      this.products = new Int32Array(Math.ceil(rows * keys * 1.5));
    }
    const { codes, products, memory } = this;
    const q = memory.queryCodes(head);
    for (let i = 0; i < codes.length; i++) codes[i] = (q[i] ?? 0) - ZERO_POINT;
    this.untranspose(layer, Math.floor((head * nHeadKv) / nHead), keys);
    this.native.pilot(codes, this.rows, products, { rows, keys, headDim, ld: keys });
    const bytes = memory.scoresAt(place + index, 1, paddedKeys);
    // Clamps and rounds what is stored.
    const scores = new Uint8ClampedArray(bytes.buffer, bytes.byteOffset, bytes.length);
    const step = OUTPUT_STEPS / scoreRange(headDim);
    for (let r = 0; r < rows; r++) {
      const from = r * keys;
      const to = r * paddedKeys;
      for (let c = 0; c < keys; c++) scores[to + c] = (products[from + c] ?? 0) * step + ZERO_POINT;
    }
  }

  /** The keys as the kernel takes them, [keys, headDim]; made once for the heads of a launch that share them. */
  private untranspose(layer: number, kvHead: number, keys: number): void {
    if (this.made === kvHead) return;
    this.made = kvHead;
    const { rows, memory } = this;
    const { capacity } = memory;
    const { headDim } = memory.shape;
    const transposed = memory.transposedKeys(layer, kvHead);
    for (let d = 0; d < headDim; d++) {
      const from = d * capacity;
      for (let c = 0; c < keys; c++) rows[c * headDim + d] = (transposed[from + c] ?? 0) - ZERO_POINT;
    }
  }
}
