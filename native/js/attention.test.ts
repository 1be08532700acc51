/** The kernels through the real addon, against the golden data of the reference, on every instruction set that runs here. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { afterAll, describe, expect, it } from 'vitest';
import type { NativeAddon } from './index.ts';
import { loadNative } from './load.ts';

const golden = join(__dirname, '../../main/engine/testdata/golden');
const native = loadNative();
const bestIsa = native.activeIsa();

interface GoldenHead {
  prefix: string;
  lambda_used: [number, number];
  lambda_exact: [number, number];
}
const attention = json<{ heads: GoldenHead[] }>('attention.json');
const rules = json<{ ties: { scores: number[]; visible: number; cases: { k: number; keep: number[] }[] } }>(
  'rules.json',
);

const rows = 128;
const keys = 512;
const headDim = 64;
const nPast = 384;
const ld = 512;
const indexLd = 102;
const scale = 1 / Math.sqrt(headDim);

function json<T>(name: string): T {
  return JSON.parse(readFileSync(join(golden, name), 'utf8')) as T;
}

function bytes(name: string): ArrayBuffer {
  return new Uint8Array(readFileSync(join(golden, name))).buffer;
}

function floats(name: string): Float32Array {
  return new Float32Array(bytes(name));
}

/** Golden indices are int16 rows of 102 filled up with -1. */
function keptKeys(prefix: string): { indices: Int32Array; counts: Int32Array } {
  const indices = Int32Array.from(new Int16Array(bytes(`${prefix}top20.bin`)));
  const counts = new Int32Array(rows);
  for (let row = 0; row < rows; row++) {
    counts[row] = indices.subarray(row * indexLd, (row + 1) * indexLd).filter((index) => index >= 0).length;
  }
  return { indices, counts };
}

function greatestDifference(a: Float32Array, b: Float32Array): number {
  let greatest = 0;
  a.forEach((value, i) => {
    const difference = Math.abs(value - (b[i] ?? Number.NaN));
    if (!(difference <= greatest)) greatest = difference;
  });
  return greatest;
}

function toBf16(x: Float32Array): Uint16Array {
  const out = new Uint16Array(x.length);
  native.toBf16(x, out);
  return out;
}

/** Whether two arrays hold the same bits; quicker than comparing them element by element. */
function same(a: Int8Array | Int32Array, b: Int8Array | Int32Array): boolean {
  return Buffer.from(a.buffer, a.byteOffset, a.byteLength).equals(Buffer.from(b.buffer, b.byteOffset, b.byteLength));
}

/** A copy on shared memory. */
function shared<T extends Float32Array | Int32Array | Int8Array>(array: T): T {
  const copy = new (array.constructor as new (buffer: SharedArrayBuffer) => T)(new SharedArrayBuffer(array.byteLength));
  copy.set(array);
  return copy;
}

afterAll(() => native.useIsa(bestIsa));

describe('instruction sets', () => {
  it('lists usable sets, best first and scalar last, and uses the best', () => {
    const isas = native.isas();
    expect(isas.at(-1)).toBe('scalar');
    expect(new Set(isas).size).toBe(isas.length);
    expect(bestIsa).toBe(isas[0]);
  });

  it('refuses a set that this machine cannot run', () => {
    expect(() => native.useIsa('mmx')).toThrow(RangeError);
    expect(native.activeIsa()).toBe(bestIsa);
  });
});

describe.each(native.isas())('golden data on %s', (isa) => {
  describe.each(attention.heads.map((head) => head.prefix))('%s', (prefix) => {
    const head = attention.heads.find((each) => each.prefix === prefix) as GoldenHead;
    const q = floats(`${prefix}q.bin`);
    const k = floats(`${prefix}k.bin`);
    const v = floats(`${prefix}v.bin`);
    const q8 = new Int8Array(bytes(`${prefix}q8.bin`));
    const k8 = new Int8Array(bytes(`${prefix}k8.bin`));

    it('finds the exact scales', () => {
      native.useIsa(isa);
      expect(Math.fround(native.maxAbs(q) / 127)).toBe(Math.fround(head.lambda_exact[0]));
      expect(Math.fround(native.maxAbs(k) / 127)).toBe(Math.fround(head.lambda_exact[1]));
    });

    it('quantises bit for bit', () => {
      native.useIsa(isa);
      const codes = new Int8Array(k.length);
      native.quantize(q, codes.subarray(0, q.length), head.lambda_used[0]);
      expect(same(codes.subarray(0, q.length), q8)).toBe(true);
      native.quantize(k, codes, head.lambda_used[1]);
      expect(same(codes, k8)).toBe(true);
    });

    it('scores and selects exactly', () => {
      native.useIsa(isa);
      const scores = new Int32Array(rows * ld);
      native.pilot(q8, k8, scores, { rows, keys, headDim, ld });
      if (prefix.endsWith('h0_')) {
        expect(same(scores, new Int32Array(bytes(`${prefix}scores.bin`)))).toBe(true);
      }
      const { indices, counts } = keptKeys(prefix);
      const selected = new Int32Array(rows * indexLd).fill(-1);
      native.topk(scores, counts, selected, { rows, nPast, ld, indexLd });
      expect(same(selected, indices)).toBe(true);
    });

    it('attends to the kept keys and to all keys within 1e-5', () => {
      native.useIsa(isa);
      const { indices, counts } = keptKeys(prefix);
      const out = new Float32Array(rows * headDim);
      native.sparseAttention(q, k, v, indices, counts, out, { rows, headDim, indexLd, outStride: headDim, scale });
      expect(greatestDifference(out, floats(`${prefix}out_sparse.bin`))).toBeLessThan(1e-5);
      native.fullAttention(q, k, v, out, { rows, nPast, headDim, outStride: headDim, scale });
      expect(greatestDifference(out, floats(`${prefix}out_full.bin`))).toBeLessThan(1e-5);
    });

    it('decodes the last row as full attention does, for a group that shares the KV head', () => {
      native.useIsa(isa);
      const last = q.subarray((rows - 1) * headDim);
      const out = new Float32Array(3 * headDim);
      native.decodeAttention(Float32Array.from([...last, ...last, ...last]), k, v, out, {
        group: 3,
        keys,
        headDim,
        scale,
      });
      const expected = floats(`${prefix}out_full.bin`).subarray((rows - 1) * headDim);
      for (let h = 0; h < 3; h++) {
        expect(greatestDifference(out.subarray(h * headDim, (h + 1) * headDim), expected)).toBeLessThan(1e-5);
      }
    });

    it('attends in bfloat16 within its precision', () => {
      native.useIsa(isa);
      const { indices, counts } = keptKeys(prefix);
      const out = new Float32Array(rows * headDim);
      native.sparseAttentionBf16(q, toBf16(k), toBf16(v), indices, counts, out, {
        rows,
        headDim,
        indexLd,
        outStride: headDim,
        scale,
      });
      // Rounding K moves a score by at most sum |q k| * scale / 256 and so a weight by that share; rounding V costs 1/256.
      const worst = greatestDifference(out, floats(`${prefix}out_sparse.bin`));
      expect(worst).toBeLessThan(0.02 * native.maxAbs(v));
      expect(worst).toBeGreaterThan(0);
    });
  });

  it('breaks ties by position', () => {
    native.useIsa(isa);
    const { visible, scores, cases } = rules.ties;
    for (const { k, keep } of cases) {
      const selected = new Int32Array(10);
      native.topk(Int32Array.from(scores), Int32Array.of(k), selected, {
        rows: 1,
        nPast: visible - 1,
        ld: scores.length,
        indexLd: 10,
      });
      expect([...selected.subarray(0, k)]).toEqual(keep);
    }
  });

  it('rounds to bfloat16 to nearest even and keeps NaN and infinity', () => {
    native.useIsa(isa);
    const x = Float32Array.of(1, 1 + 2 ** -8, 1 + 3 * 2 ** -8, -2.5, Number.POSITIVE_INFINITY, Number.NaN, 3.4e38);
    const out = toBf16(x);
    expect([...out.subarray(0, 5)]).toEqual([0x3f80, 0x3f80, 0x3f82, 0xc020, 0x7f80]);
    expect((out[5] ?? 0) & 0x7fff).toBeGreaterThan(0x7f80);
    expect(out[6]).toBe(0x7f80);
  });

  it('quantises halves to even, clamps and turns NaN into 0', () => {
    native.useIsa(isa);
    const x = Float32Array.of(
      0.5,
      1.5,
      2.5,
      -0.5,
      -1.5,
      126.5,
      127.5,
      1e30,
      -1e30,
      Number.NaN,
      Number.NEGATIVE_INFINITY,
    );
    const out = new Int8Array(x.length);
    native.quantize(x, out, 1);
    expect([...out]).toEqual([0, 2, 2, 0, -2, 126, 127, 127, -127, 0, -127]);
    expect(native.maxAbs(x)).toBeNaN();
    expect(native.maxAbs(new Float32Array(0))).toBe(0);
  });
});

describe('splitRope', () => {
  const shape = { rows: 3, nPast: 2, nHead: 4, nHeadKv: 2, headDim: 6, capacity: 7 };
  const positions = shape.nPast + shape.rows;
  const width = (shape.nHead + 2 * shape.nHeadKv) * shape.headDim;
  const qkv = Float32Array.from({ length: shape.rows * width }, (_, i) => Math.sin(i * 1.7) * 3);
  const angle = (position: number, pair: number) => position * 10 ** -pair;
  const rope = Float32Array.from({ length: positions * shape.headDim }, (_, i) => {
    const column = i % shape.headDim;
    const half = shape.headDim / 2;
    const at = angle(Math.floor(i / shape.headDim), column % half);
    return column < half ? Math.cos(at) : Math.sin(at);
  });

  it.each([true, false])('rotates Q and K and places K and V, interleaved: %s', (interleaved) => {
    const q = new Float32Array(shape.nHead * shape.rows * shape.headDim);
    const k = new Float32Array(shape.nHeadKv * shape.capacity * shape.headDim).fill(9);
    const v = new Float32Array(k.length).fill(9);
    native.splitRope(qkv, q, k, v, rope, { ...shape, interleaved });
    const half = shape.headDim / 2;
    const input = (row: number, head: number, d: number) => qkv[row * width + head * shape.headDim + d] ?? Number.NaN;
    const rotated = (row: number, head: number, d: number) => {
      const pair = interleaved ? Math.floor(d / 2) : d % half;
      const second = interleaved ? d % 2 === 1 : d >= half;
      const x = input(row, head, interleaved ? 2 * pair : pair);
      const y = input(row, head, interleaved ? 2 * pair + 1 : pair + half);
      const theta = angle(shape.nPast + row, pair);
      return second ? x * Math.sin(theta) + y * Math.cos(theta) : x * Math.cos(theta) - y * Math.sin(theta);
    };
    const untouched = new Set(k.keys());
    for (let row = 0; row < shape.rows; row++) {
      for (let d = 0; d < shape.headDim; d++) {
        for (let h = 0; h < shape.nHead; h++) {
          expect(q[(h * shape.rows + row) * shape.headDim + d]).toBeCloseTo(rotated(row, h, d), 5);
        }
        for (let h = 0; h < shape.nHeadKv; h++) {
          const at = (h * shape.capacity + shape.nPast + row) * shape.headDim + d;
          untouched.delete(at);
          expect(k[at]).toBeCloseTo(rotated(row, shape.nHead + h, d), 5);
          expect(v[at]).toBe(input(row, shape.nHead + shape.nHeadKv + h, d));
        }
      }
    }
    for (const at of untouched) expect([k[at], v[at]]).toEqual([9, 9]);
  });

  it('refuses positions beyond the capacity and odd heads', () => {
    const k = new Float32Array(200);
    const call = (change: object) =>
      native.splitRope(qkv, new Float32Array(200), k, k, rope, { ...shape, interleaved: true, ...change });
    expect(() => call({ capacity: 4 })).toThrow(/capacity/);
    expect(() => call({ headDim: 5 })).toThrow(/even/);
    expect(() => call({ nPast: 3 })).toThrow(/rope/);
  });
});

describe('shared memory and threads', () => {
  const prefix = attention.heads[0]?.prefix ?? '';
  const q = floats(`${prefix}q.bin`);
  const k = floats(`${prefix}k.bin`);
  const v = floats(`${prefix}v.bin`);

  it('reads and writes SharedArrayBuffer memory at any offset', () => {
    native.useIsa(bestIsa);
    const out = new Float32Array(new SharedArrayBuffer(4 * (rows * headDim + 1)), 4);
    native.fullAttention(shared(q), shared(k), shared(v), out, { rows, nPast, headDim, outStride: headDim, scale });
    expect(greatestDifference(out, floats(`${prefix}out_full.bin`))).toBeLessThan(1e-5);
  });

  it('runs on several worker threads at once over the same memory', async () => {
    const addon = join(__dirname, '..', 'build', `${process.platform}-${process.arch}`, 'shadownpu.node');
    const memory = { q: shared(q), k: shared(k), v: shared(v), out: shared(new Float32Array(4 * rows * headDim)) };
    const code = `
      const { workerData: { addon, q, k, v, out, shape } } = require('node:worker_threads');
      const native = require(addon);
      for (let i = 0; i < 20; i++) native.fullAttention(q, k, v, out, shape);
    `;
    const shape = { rows, nPast, headDim, outStride: headDim, scale };
    const parts = [0, 1, 2, 3].map((n) => memory.out.subarray(n * rows * headDim, (n + 1) * rows * headDim));
    await Promise.all(
      parts.map(
        (out) =>
          new Promise<void>((resolve, reject) => {
            const worker = new Worker(code, { eval: true, workerData: { ...memory, addon, out, shape } });
            worker.once('error', reject);
            worker.once('exit', () => resolve());
          }),
      ),
    );
    const expected = floats(`${prefix}out_full.bin`);
    for (const out of parts) expect(greatestDifference(out, expected)).toBeLessThan(1e-5);
  });
});

describe('arguments are checked before memory is touched', () => {
  const f = (length: number) => new Float32Array(length);
  const i32 = (...values: number[]) => Int32Array.from(values);
  const i8 = (length: number) => new Int8Array(length);
  const sparse = (change: object, indices = i32(0, 1, 2, 0, 1, 2), counts = i32(3, 3)) => {
    const shape = { rows: 2, headDim: 4, indexLd: 3, outStride: 4, scale: 1, ...change };
    native.sparseAttention(f(8), f(12), f(12), indices, counts, f(8), shape);
  };
  const topk = (change: object, counts = i32(1, 2)) =>
    native.topk(new Int32Array(8), counts, new Int32Array(6), { rows: 2, nPast: 2, ld: 4, indexLd: 3, ...change });
  const full = { rows: 2, nPast: 1, headDim: 4, outStride: 4, scale: 1 };
  const decode = { group: 2, keys: 3, headDim: 4, scale: 1 };

  it.each<[string, (n: NativeAddon) => void]>([
    ['short quantize output', (n) => n.quantize(f(4), i8(3), 1)],
    ['lambda 0', (n) => n.quantize(f(4), i8(4), 0)],
    ['lambda below float32', (n) => n.quantize(f(4), i8(4), 1e-50)],
    ['infinite lambda', (n) => n.quantize(f(4), i8(4), Number.POSITIVE_INFINITY)],
    ['lambda NaN', (n) => n.quantize(f(4), i8(4), Number.NaN)],
    ['short bf16 output', (n) => n.toBf16(f(4), new Uint16Array(3))],
    ['short q8', (n) => n.pilot(i8(7), i8(8), i32(0, 0, 0, 0), { rows: 2, keys: 2, headDim: 4, ld: 2 })],
    ['short k8', (n) => n.pilot(i8(8), i8(7), i32(0, 0, 0, 0), { rows: 2, keys: 2, headDim: 4, ld: 2 })],
    ['short scores', (n) => n.pilot(i8(8), i8(8), i32(0, 0, 0), { rows: 2, keys: 2, headDim: 4, ld: 2 })],
    ['ld under keys', (n) => n.pilot(i8(8), i8(8), i32(0, 0, 0, 0), { rows: 2, keys: 2, headDim: 4, ld: 1 })],
    [
      'huge extents',
      (n) => n.pilot(i8(8), i8(8), i32(0), { rows: 2 ** 31 - 1, keys: 1, headDim: 65535, ld: 2 ** 31 - 1 }),
    ],
    ['fractional rows', () => topk({ rows: 1.5 })],
    ['negative nPast', () => topk({ nPast: -1 })],
    ['NaN nPast', () => topk({ nPast: Number.NaN })],
    ['count 0', () => topk({}, i32(1, 0))],
    ['negative count', () => topk({}, i32(-1, 1))],
    ['count beyond the visible', () => topk({ nPast: 0 }, i32(2, 1))],
    ['count beyond indexLd', () => topk({ indexLd: 1 }, i32(1, 2))],
    ['short counts', () => topk({}, i32(1))],
    ['indices too short for the last count', () => topk({ indexLd: 5 }, i32(1, 2))],
    ['more visible than ld', () => topk({ nPast: 3 })],
    ['index beyond the keys', () => sparse({}, i32(0, 1, 2, 0, 1, 3))],
    ['negative index', () => sparse({}, i32(0, -1, 2, 0, 1, 2))],
    ['sparse count 0', () => sparse({}, i32(0, 1, 2, 0, 1, 2), i32(3, 0))],
    ['sparse count beyond indexLd', () => sparse({}, i32(0, 1, 2, 0, 1, 2), i32(4, 1))],
    ['narrow out stride', () => sparse({ outStride: 3 })],
    ['wide out stride', () => sparse({ outStride: 5 })],
    ['infinite scale', () => sparse({ scale: Number.POSITIVE_INFINITY })],
    ['headDim 0', () => sparse({ headDim: 0 })],
    ['short q', (n) => n.fullAttention(f(7), f(12), f(12), f(8), full)],
    ['short k', (n) => n.fullAttention(f(8), f(11), f(12), f(8), full)],
    ['short v', (n) => n.fullAttention(f(8), f(12), f(11), f(8), full)],
    ['short out', (n) => n.fullAttention(f(8), f(12), f(12), f(7), full)],
    ['short decode k', (n) => n.decodeAttention(f(8), f(11), f(12), f(8), decode)],
    ['short decode out', (n) => n.decodeAttention(f(8), f(12), f(12), f(7), decode)],
    ['no keys to decode', (n) => n.decodeAttention(f(8), f(12), f(12), f(8), { ...decode, keys: 0 })],
  ])('%s: RangeError', (_, call) => {
    expect(() => call(native)).toThrow(RangeError);
  });

  it.each<[string, (n: Record<string, (...args: unknown[]) => unknown>) => unknown]>([
    ['no arguments', (n) => n.maxAbs?.()],
    ['a plain array', (n) => n.maxAbs?.([1, 2])],
    ['another element type', (n) => n.maxAbs?.(new Float64Array(2))],
    ['a DataView', (n) => n.maxAbs?.(new DataView(new ArrayBuffer(8)))],
    ['unsigned codes', (n) => n.quantize?.(f(4), new Uint8Array(4), 1)],
    ['lambda as text', (n) => n.quantize?.(f(4), i8(4), '1')],
    ['no shape', (n) => n.pilot?.(i8(8), i8(8), i32(0, 0, 0, 0))],
    ['a shape without keys', (n) => n.pilot?.(i8(8), i8(8), i32(0, 0, 0, 0), { rows: 2, headDim: 4, ld: 2 })],
    ['float32 keys for bf16', (n) => n.sparseAttentionBf16?.(f(8), f(12), f(12), i32(0), i32(1), f(8), {})],
    ['a name that is a number', (n) => n.useIsa?.(2)],
  ])('%s: TypeError', (_, call) => {
    expect(() => call(native as unknown as Record<string, (...args: unknown[]) => unknown>)).toThrow(TypeError);
  });

  it('does nothing for no rows', () => {
    expect(() => topk({ rows: 0 }, i32())).not.toThrow();
    expect(() => native.fullAttention(f(0), f(4), f(4), f(0), { ...full, rows: 0 })).not.toThrow();
  });
});
