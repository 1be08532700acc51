/** Scores of ONNX Runtime and of the simulated device on the golden heads. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { loadNative } from '../../../../native/js/load.ts';
import { allocateShared, type SharedModel } from '../../session/shared-model.ts';
import { type GoldenAttention, goldenJson } from '../../testdata/golden.ts';
import { goldenTensors } from '../../testdata/golden-head.ts';
import { HeadMemory } from '../head-memory.ts';
import { keepCount } from '../keep-count.ts';
import { DevicePilot } from '../modes/device-pilot.ts';
import { PAPER_PHONE } from '../planner/costs.ts';
import { NEVER, ruleFor } from '../rules.ts';
import { type Launch, type PilotBackend, scoreRange } from './backend.ts';
import { OrtPilot } from './ort-pilot.ts';
import { allocatePilot, PilotMemory } from './pilot-memory.ts';
import { SimulatedPilot } from './simulated-pilot.ts';

const golden = goldenJson<GoldenAttention>('attention');
const native = loadNative();
const folder = mkdtempSync(path.join(tmpdir(), 'ort-pilot-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const ROWS = 128;
const KEYS = 512;
const HEAD_DIM = 64;
const SHAPE = { nLayer: 1, nEmbd: HEAD_DIM, nHead: 1, nHeadKv: 1, headDim: HEAD_DIM, slidingWindow: null };
const LAUNCH: Launch = { layer: 0, heads: [0], place: 0, keys: KEYS, paddedKeys: KEYS, lambdaQ: 0.02, lambdaK: 0.03 };

const backends: [string, (memory: PilotMemory) => PilotBackend][] = [
  ['ort:CPU', (memory) => new OrtPilot(native, memory, folder, { index: 0, epOptions: {} })],
  ['simulated', (memory) => new SimulatedPilot(native, memory, PAPER_PHONE)],
];

/** Scores of a golden head through a backend, from its float tensors; and how many nats a byte is. */
function scored(prefix: string, scale: 'exact' | 'buckets', open: (memory: PilotMemory) => PilotBackend) {
  const { q, k, v } = goldenTensors(prefix);
  const model: SharedModel = {
    shape: SHAPE,
    capacity: KEYS,
    chunkSize: ROWS,
    scale: 1 / 8,
    bf16: false,
    meanLambdaQ: golden.mean_lambda_q,
    meanLambdaK: golden.mean_lambda_k,
    staticRanges: [],
    crossover: 0,
    blockIds: [],
    ...allocateShared(SHAPE, { capacity: KEYS, chunkSize: ROWS, bf16: false }),
  };
  new Float32Array(model.activations.q).set(q);
  for (const buffer of model.kv.k) new Float32Array(buffer).set(k);
  for (const buffer of model.kv.v) new Float32Array(buffer).set(v);
  const buffers = allocatePilot(SHAPE, KEYS, ROWS);
  const memory = new PilotMemory(model, buffers);
  const rule = ruleFor({ mode: 'shadow', ratio: 0.2, scale }, NEVER);
  new DevicePilot(native, new HeadMemory(model), buffers).prepare(
    { layer: 0, rows: ROWS, nPast: KEYS - ROWS, rule },
    0,
  );
  const backend = open(memory);
  backend.load(LAUNCH);
  backend.run(LAUNCH);
  backend.close();
  return { scores: memory.scoresAt(0, 1, KEYS), scales: memory.rowScalesOf(0), bucket: memory.buckets[0], q, k };
}

describe.each(backends)('%s', (_, open) => {
  test.each(golden.heads.filter(({ prefix }) => prefix.includes('h0')))(
    'buckets: golden products of $prefix',
    (head) => {
      const { scores, bucket } = scored(head.prefix, 'buckets', open);
      const bytes = readFileSync(path.join(__dirname, '../../testdata/golden', `${head.prefix}scores.bin`));
      const products = new Int32Array(new Uint8Array(bytes).buffer);
      expect(bucket).toBe(head.bucket);
      expect(products.length).toBe(scores.length);
      let worst = 0;
      for (const [i, product] of products.entries()) {
        const exact = Math.min(Math.max((product * 127) / scoreRange(HEAD_DIM) + 128, 0), 255);
        worst = Math.max(worst, Math.abs(exact - (scores[i] ?? Number.NaN)));
      }
      // A half may round either way, so the order is that of the products.
      expect(worst).toBeLessThan(0.501);
    },
  );

  test.each(golden.heads)('exact scales: recall and nats of $prefix', ({ prefix }) => {
    const { scores, scales, q, k } = scored(prefix, 'exact', open);
    let recall = 0;
    let error = 0;
    for (let r = 0; r < ROWS; r++) {
      const visible = KEYS - ROWS + r + 1;
      const exact = Array.from({ length: visible }, (_, c) => {
        let sum = 0;
        for (let d = 0; d < HEAD_DIM; d++) sum += (q[r * HEAD_DIM + d] ?? 0) * (k[c * HEAD_DIM + d] ?? 0);
        return sum / 8;
      });
      const count = keepCount(0.2, visible);
      const best = top(exact, count);
      const found = top(Array.from(scores.subarray(r * KEYS, r * KEYS + visible)), count);
      recall += [...found].filter((key) => best.has(key)).length / count / ROWS;
      const median = [...exact].sort((a, b) => a - b)[visible >> 1] ?? 0;
      const column = exact.indexOf(median);
      error +=
        Math.abs((scales.bases[r] ?? 0) + (scales.steps[r] ?? 0) * (scores[r * KEYS + column] ?? 0) - median) / ROWS;
    }
    expect(recall).toBeGreaterThan(0.97);
    expect(error).toBeLessThan(0.1);
  });
});

function top(values: readonly number[], count: number): Set<number> {
  const order = values.map((_, key) => key).sort((a, b) => (values[b] ?? 0) - (values[a] ?? 0) || a - b);
  return new Set(order.slice(0, count));
}
