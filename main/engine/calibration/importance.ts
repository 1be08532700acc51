/**
 * Importance of heads and layers: how much the loss on a window of text grows when the attention output of one head, or of
 * a whole layer, is zero (reference/ratios.py). One dense run keeps what every layer's attention gave; each variant then
 * runs only the layers after its own.
 */
import { at } from '../attention/layer-views.ts';
import { DENSE } from '../attention/rules.ts';
import type { Breath } from '../session/breath.ts';
import type { LoadedModel } from '../session/loaded-model.ts';

/** Rows whose logits are in memory at once. */
const LOGIT_ROWS = 32;

/** Loss increase in nats per token. */
export interface LayerImportance {
  head: number[];
  layer: number;
}

/** Attention outputs and residual of each layer for one chunk of rows. */
interface KeptChunk {
  nPast: number;
  rows: number;
  att: Float32Array[];
  x: Float32Array[];
}

export class WindowImportance {
  private readonly model: LoadedModel;
  private readonly ids: readonly number[];
  private readonly chunks: readonly KeptChunk[];
  private readonly baseLoss: number;
  private readonly att: Float32Array;
  private readonly x: readonly [Float32Array, Float32Array];

  private constructor(model: LoadedModel, ids: readonly number[], chunks: readonly KeptChunk[], baseLoss: number) {
    const { att, x } = model.shared.activations;
    this.model = model;
    this.ids = ids;
    this.chunks = chunks;
    this.baseLoss = baseLoss;
    this.att = new Float32Array(att);
    this.x = [new Float32Array(x[0]), new Float32Array(x[1])];
  }

  /**
   * Runs the window densely; `step` is told after each chunk of rows. The KV cache's memory is used without its
   * book-keeping: the cache must be empty. Throws AppError 'cancelled'.
   */
  static async run(
    model: LoadedModel,
    ids: readonly number[],
    breath: Breath,
    step: () => void,
  ): Promise<WindowImportance> {
    const { shape, activations, chunkSize } = model.shared;
    const att = new Float32Array(activations.att);
    const x = activations.x.map((buffer) => new Float32Array(buffer));
    const chunks: KeptChunk[] = [];
    let loss = 0;
    for (let nPast = 0; nPast < ids.length; nPast += chunkSize) {
      const part = ids.slice(nPast, nPast + chunkSize);
      const chunk: KeptChunk = { nPast, rows: part.length, att: [], x: [] };
      await model.forward.pass(part, nPast, DENSE, breath, (layer) => {
        chunk.att.push(att.slice(0, part.length * shape.nHead * shape.headDim));
        chunk.x.push(at(x, layer % 2).slice(0, part.length * shape.nEmbd));
      });
      chunks.push(chunk);
      loss += await summedLoss(model, ids, chunk, breath);
      step();
    }
    return new WindowImportance(model, ids, chunks, loss / (ids.length - 1));
  }

  /** Importance of a layer and its heads. `step` is told after each chunk of rows. Throws AppError 'cancelled'. */
  async layer(layer: number, breath: Breath, step: () => void): Promise<LayerImportance> {
    const { nHead, headDim } = this.model.shared.shape;
    const increase = async (firstColumn: number, columns: number) =>
      (await this.lossWithout(layer, firstColumn, columns, breath, step)) - this.baseLoss;
    const head: number[] = [];
    for (let h = 0; h < nHead; h++) head.push(await increase(h * headDim, headDim));
    return { head, layer: await increase(0, nHead * headDim) };
  }

  /** Mean loss with some columns of a layer's attention output set to zero. */
  private async lossWithout(
    layer: number,
    firstColumn: number,
    columns: number,
    breath: Breath,
    step: () => void,
  ): Promise<number> {
    const { nHead, headDim } = this.model.shared.shape;
    const width = nHead * headDim;
    let loss = 0;
    for (const chunk of this.chunks) {
      const { rows, nPast } = chunk;
      this.att.set(at(chunk.att, layer));
      for (let row = 0; row < rows; row++) {
        this.att.fill(0, row * width + firstColumn, row * width + firstColumn + columns);
      }
      at(this.x, layer % 2).set(at(chunk.x, layer));
      await this.model.forward.resume({ layer, rows, nPast, rule: DENSE }, breath);
      loss += await summedLoss(this.model, this.ids, chunk, breath);
      step();
    }
    return loss / (this.ids.length - 1);
  }
}

/** Negative log likelihood of the tokens that follow the rows of the last pass, summed; the window's last row has none. */
async function summedLoss(
  model: LoadedModel,
  ids: readonly number[],
  { nPast, rows }: Pick<KeptChunk, 'nPast' | 'rows'>,
  breath: Breath,
): Promise<number> {
  const { nVocab } = model.bundle.manifest.config;
  const targets = Math.min(rows, ids.length - 1 - nPast);
  let loss = 0;
  for (let first = 0; first < targets; first += LOGIT_ROWS) {
    const count = Math.min(LOGIT_ROWS, targets - first);
    const logits = model.forward.logits(first, count);
    for (let row = 0; row < count; row++) {
      loss += lossOf(logits.subarray(row * nVocab, (row + 1) * nVocab), ids[nPast + first + row + 1] ?? 0);
    }
    await breath.take();
  }
  return loss;
}

/** log(sum(exp(logits))) - logits[target], in float64. */
function lossOf(logits: Float32Array, target: number): number {
  let most = Number.NEGATIVE_INFINITY;
  for (let i = 0; i < logits.length; i++) most = Math.max(most, logits[i] ?? 0);
  let sum = 0;
  for (let i = 0; i < logits.length; i++) sum += Math.exp((logits[i] ?? 0) - most);
  return most + Math.log(sum) - (logits[target] ?? 0);
}
