/** The arithmetic of the fast flavour's weights: symmetric 8-bit integers, a scale for each output channel of a group. */

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
 * Multiplies the columns of `values` [n, cols] by `columnFactor` [cols] and rounds each row, group by group of cols / groups
 * columns, to q * scale; scale is [groups, n], and a group of zeros has scale 0. Of two neighbouring q the absolute values
 * add up to at most 128: x64 without VNNI adds their products with activations of 0 .. 255 in 16 bits, where more would
 * saturate.
 */
export function quantiseRows(
  values: Float32Array,
  columnFactor: Float32Array,
  groups: number,
): { q: Int8Array; scale: Float32Array } {
  const cols = columnFactor.length;
  const n = values.length / cols;
  const width = cols / groups;
  const q = new Int8Array(values.length);
  const scale = new Float32Array(groups * n);
  // One longer than a group, so that the last of an odd number of columns has a neighbour.
  const line = new Float64Array(width + 1);
  for (let part = 0; part < groups * n; part++) {
    const group = Math.floor(part / n);
    const start = (part % n) * cols + group * width;
    for (let c = 0; c < width; c++) {
      line[c] = (values[start + c] as number) * (columnFactor[group * width + c] as number);
    }
    let max = 0;
    for (let c = 0; c < width; c += 2) {
      max = Math.max(max, Math.abs(line[c] as number) + Math.abs(line[c + 1] as number));
    }
    if (max === 0) continue;
    scale[part] = max / 127;
    const inverse = 127 / max;
    // Adding and truncating rounds; Math.round takes three times as long, and there are as many calls as weights.
    for (let c = 0; c < width; c++) q[start + c] = (((line[c] as number) * inverse + 128.5) | 0) - 128;
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
