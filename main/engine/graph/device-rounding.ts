/** The arithmetic of device weights: integers with one scale for each output channel, and half precision. */

/** A projection [rows, cols] whose columns are multiplied by `columnFactor` [cols] and rows divided by `rowDivisor` [rows]. */
export interface Scaled {
  rows: number;
  cols: number;
  values: Float32Array;
  columnFactor?: Float32Array;
  rowDivisor?: Float32Array;
}

/** Shares of a row's greatest value that 4 bits are tried with as the greatest code: clipping it makes the others finer. */
const CLIPPINGS = [1, 0.9, 0.8];

/**
 * Rounds each row to q * scale, |q| <= 127 or 7. q is int8, transposed: [cols, rows]; scale [rows], 1 for a row of zeros.
 * With 4 bits the scale is the one of some that leaves the least squared error.
 */
export function roundPerChannel(w: Scaled, most: 127 | 7): { q: Int8Array; scale: Float32Array } {
  const { rows, cols } = w;
  const q = new Int8Array(rows * cols);
  const scale = new Float32Array(rows).fill(1);
  const line = new Float64Array(cols);
  for (let r = 0; r < rows; r++) {
    let max = 0;
    for (let c = 0; c < cols; c++) {
      const value =
        (w.values[r * cols + c] as number) * (w.columnFactor === undefined ? 1 : (w.columnFactor[c] as number));
      line[c] = value;
      if (Math.abs(value) > max) max = Math.abs(value);
    }
    if (max === 0) continue;
    const step = most === 127 ? max / most : bestStep(line, max / most, most);
    // A row's divisor is the same for all of it, so it goes into the scale alone.
    scale[r] = step / (w.rowDivisor?.[r] ?? 1);
    for (let c = 0; c < cols; c++) q[c * rows + r] = code(line[c] as number, step, most);
  }
  return { q, scale };
}

function bestStep(line: Float64Array, step: number, most: number): number {
  let best = step;
  let least = Number.POSITIVE_INFINITY;
  for (const share of CLIPPINGS) {
    let error = 0;
    for (const value of line) error += (value - code(value, step * share, most) * step * share) ** 2;
    if (error >= least) continue;
    least = error;
    best = step * share;
  }
  return best;
}

function code(value: number, step: number, most: number): number {
  return Math.max(-most, Math.min(most, Math.round(value / step)));
}

/** Two 4 bit integers to a byte, the first in the low half; what ONNX wants of int4. */
export function packInt4(q: Int8Array): Uint8Array {
  const packed = new Uint8Array(Math.ceil(q.length / 2));
  for (let i = 0; i < packed.length; i++) packed[i] = ((q[2 * i] ?? 0) & 15) | (((q[2 * i + 1] ?? 0) & 15) << 4);
  return packed;
}

/** float16 bits of a projection, transposed: [cols, rows]. */
export function toHalfTransposed({ rows, cols, values, columnFactor, rowDivisor }: Scaled): Uint16Array {
  const half = new Uint16Array(rows * cols);
  for (let r = 0; r < rows; r++) {
    const divisor = rowDivisor?.[r] ?? 1;
    for (let c = 0; c < cols; c++) {
      half[c * rows + r] = toHalf(((values[r * cols + c] as number) * (columnFactor?.[c] ?? 1)) / divisor);
    }
  }
  return half;
}

const single = new Float32Array(1);
const bits = new Uint32Array(single.buffer);

/** The float16 nearest to `value`, ties to even; beyond 65504 infinity. NaN stays NaN. */
export function toHalf(value: number): number {
  single[0] = value;
  const all = bits[0] as number;
  const sign = (all >>> 16) & 0x8000;
  const size = all & 0x7fffffff;
  if (size > 0x7f800000) return sign | 0x7e00;
  // 65520 and above round to infinity.
  if (size >= 0x477ff000) return sign | 0x7c00;
  // Below 2^-14 halves are multiples of 2^-24.
  if (size < 0x38800000) return sign | roundEven(Math.abs(single[0] as number) * 2 ** 24);
  return sign | ((size - 0x38000000 + 0xfff + ((size >>> 13) & 1)) >>> 13);
}

function roundEven(value: number): number {
  const down = Math.floor(value);
  const rest = value - down;
  return rest > 0.5 || (rest === 0.5 && down % 2 === 1) ? down + 1 : down;
}
