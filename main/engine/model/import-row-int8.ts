/** The arithmetic of the fast flavour's weights: symmetric 8-bit integers with one scale per output channel. */

/** Raises `maxima` [cols] to max |value| of each column of `values` [n, cols]. */
export function raiseColumnMaxima(maxima: Float32Array, values: Float32Array): void {
  const cols = maxima.length;
  for (let i = 0; i < values.length; i += cols) {
    for (let c = 0; c < cols; c++) {
      const size = Math.abs(values[i + c] as number);
      if (size > (maxima[c] as number)) maxima[c] = size;
    }
  }
}

/**
 * Multiplies the columns of `values` [n, cols] by `columnFactor` [cols] and rounds each row to q * scale with q in
 * -127 .. 127. A row of zeros has scale 0.
 */
export function quantiseRows(values: Float32Array, columnFactor: Float32Array): { q: Int8Array; scale: Float32Array } {
  const cols = columnFactor.length;
  const q = new Int8Array(values.length);
  const scale = new Float32Array(values.length / cols);
  const line = new Float64Array(cols);
  for (let r = 0; r < scale.length; r++) {
    let max = 0;
    for (let c = 0; c < cols; c++) {
      const value = (values[r * cols + c] as number) * (columnFactor[c] as number);
      line[c] = value;
      if (Math.abs(value) > max) max = Math.abs(value);
    }
    if (max === 0) continue;
    scale[r] = max / 127;
    const inverse = 127 / max;
    // Adding and truncating rounds; Math.round takes three times as long, and there are as many calls as weights.
    for (let c = 0; c < cols; c++) q[r * cols + c] = (((line[c] as number) * inverse + 128.5) | 0) - 128;
  }
  return { q, scale };
}

/** Rows and columns copied at a time, so that both sides stay in the cache. */
const TILE = 64;

/** Copies `q` [n, cols] into rows `firstRow` .. of a matrix that is stored transposed: `target` [cols, rows]. */
export function transposeInto(target: Int8Array, rows: number, firstRow: number, q: Int8Array, cols: number): void {
  const n = q.length / cols;
  for (let r0 = 0; r0 < n; r0 += TILE) {
    const r1 = Math.min(r0 + TILE, n);
    for (let c0 = 0; c0 < cols; c0 += TILE) {
      const c1 = Math.min(c0 + TILE, cols);
      for (let c = c0; c < c1; c++) {
        for (let r = r0; r < r1; r++) target[c * rows + firstRow + r] = q[r * cols + c] as number;
      }
    }
  }
}
