/** The contestants compute what they claim: on random heads their outputs are compared with the dense kernel's. */
import { afterAll, describe, expect, it } from 'vitest';
import { loadNative } from '../../../native/js/load.ts';
import { DENSE, NEVER, ruleFor } from '../../engine/attention/rules.ts';
import { WorkerPool } from '../../engine/attention/worker-pool.ts';
import { allocateShared, type SharedModel } from '../../engine/session/shared-model.ts';
import { type Captured, ROWS } from './capture.ts';
import { EngineModes } from './engine-modes.ts';
import { OrtGroupQuery } from './ort-group-query.ts';
import { OrtMultiHead } from './ort-multi-head.ts';

const N = 384;
const SHAPE = { nLayer: 1, nEmbd: 128, nHead: 4, nHeadKv: 2, headDim: 32, slidingWindow: null };
const SCALE = 1 / Math.sqrt(32);
const native = loadNative();

function randomCaptured(): Captured {
  const options = { capacity: N, chunkSize: ROWS, bf16: false };
  const model: SharedModel = {
    shape: SHAPE,
    ...options,
    scale: SCALE,
    meanLambdaQ: 0.03,
    meanLambdaK: 0.03,
    staticRanges: [],
    crossover: 0,
    blockIds: [],
    ...allocateShared(SHAPE, options),
  };
  let seed = 1;
  const fill = (array: Float32Array) => {
    for (let i = 0; i < array.length; i++) {
      seed = (seed * 48271) % 2147483647;
      array[i] = (seed / 2147483647) * 4 - 2;
    }
    return array;
  };
  fill(new Float32Array(model.kv.k[0] as SharedArrayBuffer));
  fill(new Float32Array(model.kv.v[0] as SharedArrayBuffer));
  const q = fill(new Float32Array(SHAPE.nHead * ROWS * SHAPE.headDim));
  return { model, layers: [0], queries: new Map([[N, [q]]]) };
}

const captured = randomCaptured();
const pool = new WorkerPool(native, captured.model, 1);
const engine = new EngineModes(pool, captured);
const ratios = new Float32Array(SHAPE.nHead).fill(1);
afterAll(() => pool.close());

/** Row `row` of `head`, as the engine left it in its output. */
function outputRow(row: number, head: number): Float32Array {
  const { nHead, headDim } = SHAPE;
  return new Float32Array(captured.model.activations.att).slice(
    (row * nHead + head) * headDim,
    (row * nHead + head + 1) * headDim,
  );
}

describe('contestants', () => {
  it("MultiHeadAttention's last row, which sees all keys as ours does, is the dense kernel's", () => {
    expect(engine.run(N, { rule: DENSE, ratios })).toBeGreaterThan(0);
    const ours = outputRow(ROWS - 1, SHAPE.nHead - 1);
    const ort = new OrtMultiHead(native, captured, 1);
    ort.run(N);
    const theirs = ort.output.slice((ROWS - 1) * SHAPE.headDim);
    ort.close();
    for (const [i, value] of ours.entries()) expect(value).toBeCloseTo(theirs[i] ?? Number.NaN, 5);
  });

  it('GroupQueryAttention gives what dense attention gives in every row and head, run after run', () => {
    engine.run(N, { rule: DENSE, ratios });
    const ours = new Float32Array(captured.model.activations.att).slice(0, SHAPE.nHead * ROWS * SHAPE.headDim);
    const ort = new OrtGroupQuery(native, captured, 1, N);
    for (let run = 0; run < 2; run++) {
      ort.output.fill(0);
      ort.run();
      expect(ort.output).toHaveLength(ours.length);
      for (const [i, value] of ours.entries()) expect(ort.output[i]).toBeCloseTo(value, 5);
    }
    ort.close();
  });

  it('a mode that keeps every key gives what dense attention gives, run after run', () => {
    engine.run(N, { rule: DENSE, ratios });
    const dense = outputRow(100, 1);
    const all = { rule: ruleFor({ mode: 'sparse', ratio: 1 }, NEVER), ratios };
    for (let run = 0; run < 2; run++) {
      new Float32Array(captured.model.activations.att).fill(0);
      engine.run(N, all);
      for (const [i, value] of outputRow(100, 1).entries()) expect(value).toBeCloseTo(dense[i] ?? Number.NaN, 5);
    }
  });

  it('refuses a length that was not captured', () => {
    expect(() => engine.run(256, { rule: DENSE, ratios })).toThrow(RangeError);
  });
});
