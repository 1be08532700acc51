/** The steps of the baseline modes through the real addon: argument checks and shared memory. Values: native/test. */
import { describe, expect, it } from 'vitest';
import { loadNative } from './load.ts';

const native = loadNative();
const f = (length: number) => new Float32Array(length);

const order = { rows: 2, nPast: 1, headDim: 4, ld: 3, scale: 1 };
const blocks = { rows: 2, keys: 5, headDim: 4, block: 2 };
const int8 = {
  ...{ rows: 2, nPast: 1, headDim: 4, outStride: 4, scale: 1 },
  ...{ lambdaQ: 1, lambdaK: 1, lambdaS: 1, lambdaV: 1, lambdaO: 1 },
};

const scoreOrder = (change: object, [q, k, out] = [8, 12, 6]) =>
  native.scoreOrder(f(q ?? 0), f(k ?? 0), new Int32Array(out ?? 0), { ...order, ...change });
const blockScores = (change: object, [q, k, out] = [8, 20, 3]) =>
  native.blockScores(f(q ?? 0), f(k ?? 0), f(out ?? 0), { ...blocks, ...change });
const int8Attention = (change: object, [q, k, v, out] = [8, 12, 12, 8]) =>
  native.int8Attention(f(q ?? 0), f(k ?? 0), f(v ?? 0), f(out ?? 0), { ...int8, ...change });

it('takes what fits exactly', () => {
  expect(() => scoreOrder({})).not.toThrow();
  expect(() => blockScores({})).not.toThrow();
  expect(() => int8Attention({})).not.toThrow();
  expect(() => int8Attention({ rows: 0 })).not.toThrow();
});

describe('arguments are checked before memory is touched', () => {
  it.each<[string, () => void]>([
    ['short q of scoreOrder', () => scoreOrder({}, [7, 12, 6])],
    ['short k of scoreOrder', () => scoreOrder({}, [8, 11, 6])],
    ['short order', () => scoreOrder({}, [8, 12, 5])],
    ['ld under the keys', () => scoreOrder({ ld: 2 })],
    ['scale that is not finite', () => scoreOrder({ scale: Number.NaN })],
    ['no rows for a mean', () => blockScores({ rows: 0 })],
    ['blocks of nothing', () => blockScores({ block: 0 })],
    ['short q of blockScores', () => blockScores({}, [7, 20, 3])],
    ['short k of blockScores', () => blockScores({}, [8, 19, 3])],
    ['a score missing for the last short block', () => blockScores({}, [8, 20, 2])],
    ['short q of int8Attention', () => int8Attention({}, [7, 12, 12, 8])],
    ['short k of int8Attention', () => int8Attention({}, [8, 11, 12, 8])],
    ['short v', () => int8Attention({}, [8, 12, 11, 8])],
    ['short output', () => int8Attention({}, [8, 12, 12, 7])],
    ['output rows that overlap', () => int8Attention({ outStride: 3 })],
    ['lambda 0', () => int8Attention({ lambdaS: 0 })],
    ['negative lambda', () => int8Attention({ lambdaO: -1 })],
    ['infinite lambda', () => int8Attention({ lambdaV: Number.POSITIVE_INFINITY })],
    ['more keys than sums allow', () => int8Attention({ nPast: 65534 }, [8, 65536 * 4, 65536 * 4, 8])],
    ['huge extents', () => int8Attention({ rows: 2 ** 31 - 1, headDim: 2 ** 31 - 1, outStride: 2 ** 31 - 1 })],
  ])('%s: RangeError', (_, call) => {
    expect(call).toThrow(RangeError);
  });

  it('wants a number for each lambda', () => {
    expect(() => int8Attention({ lambdaQ: undefined })).toThrow(TypeError);
  });
});

it('works on shared memory, into rows that lie apart', () => {
  const shared = (values: readonly number[]) => {
    const array = new Float32Array(new SharedArrayBuffer(values.length * 4));
    array.set(values);
    return array;
  };
  // One key per row counts: the output is V of the visible keys, weighed alike.
  const q = shared([0, 0]);
  const v = shared([10, 30]);
  const out = shared([-1, -1, -1]);
  native.int8Attention(q, shared([0, 0]), v, out, { ...int8, nPast: 0, headDim: 1, outStride: 2 });
  // Two weights of 1/2 are 64/127 each.
  expect([...out]).toEqual([10, -1, 20]);
  const codes = new Int32Array(new SharedArrayBuffer(8));
  native.scoreOrder(shared([1]), shared([-2, 3]), codes, { rows: 1, nPast: 1, headDim: 1, ld: 2, scale: 1 });
  expect(codes[0]).toBeLessThan(0);
  expect(codes[1]).toBeGreaterThan(0);
});
