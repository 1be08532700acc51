/**
 * A device that does not exist: right scores from the native INT8 kernel, there when a cost table says so. For trying plans and
 * showing them; everything it does is labelled "simulated".
 */
import type { NativeAddon } from '../../../../native/js/index.ts';
import { OUTPUT_STEPS, ZERO_POINT } from '../../graph/pilot.ts';
import { stageClock } from '../pipeline/stage-log.ts';
import { type CostTable, npuCost } from '../planner/costs.ts';
import { launchCost } from '../planner/timeline.ts';
import { type Launch, type PilotBackend, scoreRange } from './backend.ts';
import type { PilotMemory } from './pilot-memory.ts';

export class SimulatedPilot implements PilotBackend {
  private readonly native: NativeAddon;
  private readonly memory: PilotMemory;
  private readonly costs: CostTable;
  private readonly never = new Int32Array(new SharedArrayBuffer(4));
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
    for (const [i, head] of launch.heads.entries()) this.score(launch, head, i);
    for (let left = end - stageClock(); left > 0; left = end - stageClock()) Atomics.wait(this.never, 0, 0, left);
  }

  close(): void {}

  private score(launch: Launch, head: number, index: number): void {
    const { layer, keys, paddedKeys, place } = launch;
    const { shape, chunkSize: rows, capacity } = this.memory;
    const { headDim, nHead, nHeadKv } = shape;
    if (this.products.length < rows * keys) {
      this.codes = new Int8Array(rows * headDim);
      this.rows = new Int8Array(Math.ceil(keys * headDim * 1.5));
      this.products = new Int32Array(Math.ceil(rows * keys * 1.5));
    }
    const q = this.memory.queryCodes(head);
    for (let i = 0; i < this.codes.length; i++) this.codes[i] = (q[i] ?? 0) - ZERO_POINT;
    const transposed = this.memory.transposedKeys(layer, Math.floor((head * nHeadKv) / nHead));
    for (let d = 0; d < headDim; d++) {
      for (let c = 0; c < keys; c++) this.rows[c * headDim + d] = (transposed[d * capacity + c] ?? 0) - ZERO_POINT;
    }
    this.native.pilot(this.codes, this.rows, this.products, { rows, keys, headDim, ld: keys });
    const scores = this.memory.scoresAt(place + index, 1, paddedKeys);
    const step = OUTPUT_STEPS / scoreRange(headDim);
    for (let r = 0; r < rows; r++) {
      for (let c = 0; c < keys; c++) {
        const byte = Math.round((this.products[r * keys + c] ?? 0) * step) + ZERO_POINT;
        scores[r * paddedKeys + c] = Math.max(0, Math.min(byte, 255));
      }
    }
  }
}
