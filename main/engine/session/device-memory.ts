/**
 * Shared memory between the engine thread and the thread that drives a device: inputs and outputs of one block graph. It
 * belongs to that thread alone, so that one which is given up can no longer write into the model's memory.
 */
import type { Tensor } from '../../../native/js/index.ts';
import type { AttentionShape } from './shared-model.ts';

/** float32; C rows each. */
export interface DeviceBuffers {
  /** [C, nHead * headDim] */
  att: SharedArrayBuffer;
  /** Residual stream before and after the block, [C, nEmbd]. */
  x: SharedArrayBuffer;
  y: SharedArrayBuffer;
  /** [C, (nHead + 2 * nHeadKv) * headDim] */
  qkv: SharedArrayBuffer;
}

const FLOAT = 4;

export function allocateDevice({ nEmbd, nHead, nHeadKv, headDim }: AttentionShape, rows: number): DeviceBuffers {
  return {
    att: new SharedArrayBuffer(rows * nHead * headDim * FLOAT),
    x: new SharedArrayBuffer(rows * nEmbd * FLOAT),
    y: new SharedArrayBuffer(rows * nEmbd * FLOAT),
    qkv: new SharedArrayBuffer(rows * (nHead + 2 * nHeadKv) * headDim * FLOAT),
  };
}

/** One thread's views. */
export class DeviceMemory {
  private readonly nLayer: number;
  private readonly att: Float32Array;
  private readonly x: Float32Array;
  private readonly y: Float32Array;
  private readonly qkv: Float32Array;
  private readonly widths: { att: number; x: number; qkv: number };

  constructor({ nLayer, nEmbd, nHead, nHeadKv, headDim }: AttentionShape, buffers: DeviceBuffers) {
    this.nLayer = nLayer;
    this.att = new Float32Array(buffers.att);
    this.x = new Float32Array(buffers.x);
    this.y = new Float32Array(buffers.y);
    this.qkv = new Float32Array(buffers.qkv);
    this.widths = { att: nHead * headDim, x: nEmbd, qkv: (nHead + 2 * nHeadKv) * headDim };
  }

  /** Inputs and outputs of block `index` for `rows` rows, in the graph's order (manifest.ts). */
  tensors(index: number, rows: number): { inputs: Tensor[]; outputs: Tensor[] } {
    const first = (data: Float32Array, width: number): Tensor => ({
      data: data.subarray(0, rows * width),
      dims: [rows, width],
    });
    const x = first(this.x, this.widths.x);
    const qkv = first(this.qkv, this.widths.qkv);
    if (index === 0) return { inputs: [x], outputs: [qkv] };
    const y = first(this.y, this.widths.x);
    return { inputs: [first(this.att, this.widths.att), x], outputs: index === this.nLayer ? [y] : [y, qkv] };
  }
}
