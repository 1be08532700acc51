/** The engine's own attention, whole: what a layer's chunk costs in each mode, by the code that the product runs. */
import { TILE_ROWS } from '../../engine/attention/pass.ts';
import { isDense } from '../../engine/attention/rules.ts';
import type { WorkerPool } from '../../engine/attention/worker-pool.ts';
import { KvCache } from '../../engine/session/kv-cache.ts';
import { type Captured, queriesAt, ROWS } from './capture.ts';
import type { Prepared } from './prepared.ts';

export class EngineModes {
  private readonly pool: WorkerPool;
  private readonly captured: Captured;
  private readonly cache: KvCache;
  private readonly q: Float32Array;
  private readonly headRatios: Float32Array;

  constructor(pool: WorkerPool, captured: Captured) {
    const { model } = captured;
    this.pool = pool;
    this.captured = captured;
    this.cache = new KvCache(model.kv, model.shape.nLayer * model.shape.nHeadKv, model.capacity);
    this.q = new Float32Array(model.activations.q);
    this.headRatios = new Float32Array(model.headRatios);
  }

  /**
   * Attends the chunk that ends at `n` in all captured layers; returns milliseconds. The codes and copies of the keys before
   * the chunk are there already, as in a prefill; those of the chunk are made.
   */
  run(n: number, { rule, ratios }: Prepared): number {
    const { nHead, nHeadKv } = this.captured.model.shape;
    const nPast = n - ROWS;
    this.forgetChunk(n);
    this.headRatios.set(ratios);
    let ms = 0;
    for (const [layer, queries] of queriesAt(this.captured, n).entries()) {
      this.q.set(queries);
      const pass = { layer, rows: ROWS, nPast, rule };
      const start = performance.now();
      if (!isDense(rule)) this.pool.run({ kind: 'prepare', pass, tasks: nHeadKv });
      this.pool.run({ kind: 'attend', pass, tasks: nHead * Math.ceil(ROWS / TILE_ROWS) });
      ms += performance.now() - start;
    }
    return ms;
  }

  /** Makes the cache one that ends before the chunk at `n`. */
  private forgetChunk(n: number): void {
    while (this.cache.length < n - ROWS) this.cache.append([0]);
    this.cache.truncate(n - ROWS);
  }
}
