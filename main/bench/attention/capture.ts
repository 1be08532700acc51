/**
 * Queries, keys and values of a real model over a real text, taken out of a prefill. Random keys would be the worst case
 * for a sparse step, since no two rows would want the same ones, and would say little about the product.
 */
import { at } from '../../engine/attention/layer-views.ts';
import { DENSE } from '../../engine/attention/rules.ts';
import type { Breath } from '../../engine/session/breath.ts';
import type { LoadedModel } from '../../engine/session/loaded-model.ts';
import { allocateShared, type SharedModel } from '../../engine/session/shared-model.ts';

/** Rows of a chunk: what the engine prefills at once. */
export const ROWS = 128;

export interface Captured {
  /** The captured layers as a model of their own, K and V filled up to the greatest n; no graphs. */
  model: SharedModel;
  /** Layers of the real model, in the order of `model`. */
  layers: readonly number[];
  /** Queries of the chunk that ends at n, by n: [layer][nHead, ROWS, headDim]. */
  queries: Map<number, Float32Array[]>;
}

/**
 * Prefills `ids` densely and keeps `layers`.
 * @param ns lengths at whose last ROWS tokens the queries are kept; multiples of ROWS, at most ids.length
 */
export async function capture(
  loaded: LoadedModel,
  ids: readonly number[],
  ns: readonly number[],
  layers: readonly number[],
  breath: Breath,
): Promise<Captured> {
  const { shared, forward, cache } = loaded;
  const { nHead, nHeadKv, headDim } = shared.shape;
  const capacity = Math.max(...ns);
  const shape = { ...shared.shape, nLayer: layers.length };
  const options = { capacity, chunkSize: ROWS, bf16: shared.bf16 };
  const allocated = allocateShared(shape, options);
  const staticRanges = shared.staticRanges.length === 0 ? [] : layers.map((layer) => at(shared.staticRanges, layer));
  const model: SharedModel = { ...shared, ...allocated, shape, ...options, staticRanges, blockIds: [] };

  const queries = new Map(ns.map((n) => [n, layers.map(() => new Float32Array(nHead * ROWS * headDim))]));
  const q = new Float32Array(shared.activations.q, 0, nHead * ROWS * headDim);
  cache.truncate(0);
  for (let nPast = 0; nPast < capacity; nPast += ROWS) {
    const kept = queries.get(nPast + ROWS);
    const chunk = ids.slice(nPast, nPast + ROWS);
    await forward.pass(chunk, nPast, DENSE, breath, (layer) => {
      if (layers.includes(layer)) kept?.[layers.indexOf(layer)]?.set(q);
    });
    cache.append(chunk);
  }

  for (const [i, layer] of layers.entries()) {
    for (const name of ['k', 'v'] as const) {
      const from = new Float32Array(at(shared.kv[name], layer));
      const to = new Float32Array(at(model.kv[name], i));
      for (let head = 0; head < nHeadKv; head++) {
        const start = head * shared.capacity * headDim;
        to.set(from.subarray(start, start + capacity * headDim), head * capacity * headDim);
      }
    }
  }
  return { model, layers, queries };
}

/** Queries of the chunk that ends at `n`, by layer. Throws RangeError where none were captured. */
export function queriesAt(captured: Captured, n: number): Float32Array[] {
  const queries = captured.queries.get(n);
  if (queries === undefined) throw new RangeError(`nothing was captured at ${n}`);
  return queries;
}
