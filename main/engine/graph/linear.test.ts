/** The three forms of a projection, run by ORT with optimisation on and off, against float64 arithmetic. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as ort from 'onnxruntime-node';
import { afterAll, describe, expect, it } from 'vitest';
import { addLinear, LINEAR_SESSION_CONFIG, type Linear } from './linear.ts';
import { GraphBuilder, type Region } from './onnx.ts';

const dir = mkdtempSync(join(tmpdir(), 'linear-'));
afterAll(() => rmSync(dir, { recursive: true, force: true }));

const ROWS = 48;
const COLS = 96;
let seed = 1;
/** Normal-ish values, the same in every run. */
function random(n: number, scale = 1): Float32Array {
  return Float32Array.from({ length: n }, () => {
    let sum = 0;
    for (let i = 0; i < 4; i++) {
      seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
      sum += seed / 2 ** 32 - 0.5;
    }
    return sum * scale;
  });
}

class Store {
  #parts: Uint8Array[] = [];
  #size = 0;
  put(data: Float32Array | Uint8Array | Int8Array): Region {
    const bytes = new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
    const region = { file: 'weights.bin', offset: this.#size, bytes: bytes.length };
    const padded = new Uint8Array(Math.ceil(bytes.length / 64) * 64);
    padded.set(bytes);
    this.#parts.push(padded);
    this.#size += padded.length;
    return region;
  }
  write(): void {
    writeFileSync(join(dir, 'weights.bin'), Buffer.concat(this.#parts));
  }
}

/** onnxruntime-node takes config entries as nested objects. */
const FAST = { x64quantprecision: LINEAR_SESSION_CONFIG.fast['session.x64quantprecision'] };
const EXACT = { disable_quant_qdq: LINEAR_SESSION_CONFIG.exact['session.disable_quant_qdq'] };

async function run(w: Linear, x: Float32Array, level: 'disabled' | 'all'): Promise<Float32Array> {
  const g = new GraphBuilder();
  g.input('x', ['rows', w.cols]);
  g.node('Identity', [addLinear(g, 'w', 'x', w)], { output: 'y' });
  g.output('y', ['rows', w.rows]);
  const path = join(dir, 'g.onnx');
  writeFileSync(path, g.encode());
  const session = await ort.InferenceSession.create(path, {
    graphOptimizationLevel: level,
    intraOpNumThreads: 1,
    extra: { session: w.kind === 'rowInt8' || (w.kind === 'blocks' && w.accuracy === 4) ? FAST : EXACT },
  });
  const { y } = await session.run({ x: new ort.Tensor('float32', x, [x.length / w.cols, w.cols]) });
  await session.release();
  return y?.data as Float32Array;
}

function reference(x: Float32Array, w: Float64Array | Float32Array, cols: number): Float64Array {
  const n = x.length / cols;
  const rows = w.length / cols;
  const y = new Float64Array(n * rows);
  for (let i = 0; i < n; i++)
    for (let r = 0; r < rows; r++) {
      let sum = 0;
      for (let c = 0; c < cols; c++) sum += (x[i * cols + c] ?? 0) * (w[r * cols + c] ?? 0);
      y[i * rows + r] = sum;
    }
  return y;
}

/** Root mean square of the difference over that of the expected values. */
function error(got: ArrayLike<number>, want: ArrayLike<number>): number {
  expect(got.length).toBe(want.length);
  let difference = 0;
  let total = 0;
  for (let i = 0; i < want.length; i++) {
    difference += ((got[i] ?? Number.NaN) - (want[i] ?? 0)) ** 2;
    total += (want[i] ?? 0) ** 2;
  }
  return Math.sqrt(difference / total);
}

describe.each([1, 5, 128])('%i rows of activations', (n) => {
  const x = random(n * COLS);

  it('float32 weights', async () => {
    const w = random(ROWS * COLS);
    const store = new Store();
    const linear: Linear = { kind: 'float32', rows: ROWS, cols: COLS, weight: store.put(w) };
    store.write();
    for (const level of ['disabled', 'all'] as const) {
      expect(error(await run(linear, x, level), reference(x, w, COLS))).toBeLessThan(1e-6);
    }
  });

  it.each([
    { blockSize: 16, affine: false, accuracy: 0 as const, limit: 1e-6 },
    { blockSize: 32, affine: false, accuracy: 0 as const, limit: 1e-6 },
    { blockSize: 32, affine: true, accuracy: 0 as const, limit: 1e-6 },
    { blockSize: 32, affine: false, accuracy: 4 as const, limit: 0.01 },
    { blockSize: 32, affine: true, accuracy: 4 as const, limit: 0.01 },
  ])('blocks of $blockSize, affine $affine, accuracy $accuracy', async ({ blockSize, affine, accuracy, limit }) => {
    const q = Uint8Array.from(random(ROWS * COLS, 128), (v) => Math.max(0, Math.min(255, Math.round(v + 128))));
    q.fill(255, 0, COLS / 2);
    const scale = random((ROWS * COLS) / blockSize, 0.01);
    const add = affine ? random((ROWS * COLS) / blockSize) : null;
    const w = Float64Array.from(q, (v, i) => {
      const b = Math.floor(i / blockSize);
      return (v - 128) * (scale[b] ?? 0) + (add?.[b] ?? 0);
    });
    const store = new Store();
    const linear: Linear = {
      kind: 'blocks',
      rows: ROWS,
      cols: COLS,
      blockSize,
      q: store.put(q),
      scale: store.put(scale),
      zero: store.put(new Uint8Array((ROWS * COLS) / blockSize).fill(128)),
      add: add === null ? null : store.put(add),
      accuracy,
    };
    store.write();
    const [off, on] = [await run(linear, x, 'disabled'), await run(linear, x, 'all')];
    const want = reference(x, w, COLS);
    expect(error(off, want)).toBeLessThan(limit);
    expect(error(on, want)).toBeLessThan(limit);
  });

  it.each([1, 3])('int8 with a scale per activation row, %i groups', async (groups) => {
    // Extreme pairs of weights and activations of one sign: where 16-bit intermediate sums saturate, this fails by far.
    const q = Int8Array.from(random(COLS * ROWS), (v) => Math.round(v * 32));
    for (let c = 0; c < COLS / 2; c++) q.fill([64, 64, 127, 1][c % 4] ?? 0, c * ROWS, (c + 1) * ROWS);
    const scale = random(groups * ROWS, 0.01);
    const w = new Float64Array(ROWS * COLS);
    for (let r = 0; r < ROWS; r++)
      for (let c = 0; c < COLS; c++)
        w[r * COLS + c] = (q[c * ROWS + r] ?? 0) * (scale[Math.floor((c * groups) / COLS) * ROWS + r] ?? 0);
    const positive = x.map((v) => Math.abs(v) + 0.5);
    if (n > 1) positive.fill(0, 0, COLS);
    const store = new Store();
    const linear: Linear = {
      kind: 'rowInt8',
      rows: ROWS,
      cols: COLS,
      groups,
      q: store.put(q),
      scale: store.put(scale),
    };
    store.write();
    const [off, on] = [await run(linear, positive, 'disabled'), await run(linear, positive, 'all')];
    const want = reference(positive, w, COLS);
    expect(error(off, want)).toBeLessThan(0.002);
    expect(error(on, want)).toBeLessThan(0.002);
  });
});
