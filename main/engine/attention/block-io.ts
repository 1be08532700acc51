/** What a block graph reads and writes in the shared activations (manifest.ts, graphs). */
import type { Tensor } from '../../../native/js/index.ts';
import type { SharedModel } from '../session/shared-model.ts';
import { at } from './layer-views.ts';

export class BlockIo {
  private readonly model: SharedModel;
  private readonly x: [Float32Array, Float32Array];
  private readonly qkv: Float32Array;
  private readonly att: Float32Array;

  constructor(model: SharedModel) {
    const { x, qkv, att } = model.activations;
    this.model = model;
    this.x = [new Float32Array(x[0]), new Float32Array(x[1])];
    this.qkv = new Float32Array(qkv);
    this.att = new Float32Array(att);
  }

  /** Inputs and outputs of block `index` for rows [from, to), in the graph's order. */
  tensors(index: number, from: number, to: number): { inputs: Tensor[]; outputs: Tensor[] } {
    const { nLayer, nEmbd, nHead, nHeadKv, headDim } = this.model.shape;
    const rows = (all: Float32Array, width: number): Tensor => ({
      data: all.subarray(from * width, to * width),
      dims: [to - from, width],
    });
    const qkv = rows(this.qkv, (nHead + 2 * nHeadKv) * headDim);
    if (index === 0) return { inputs: [rows(this.x[0], nEmbd)], outputs: [qkv] };
    const residual = rows(at(this.x, index % 2), nEmbd);
    return {
      inputs: [rows(this.att, nHead * headDim), rows(at(this.x, (index - 1) % 2), nEmbd)],
      outputs: index === nLayer ? [residual] : [residual, qkv],
    };
  }
}
