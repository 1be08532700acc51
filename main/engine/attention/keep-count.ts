/** How many keys a row keeps. */

/**
 * k = round half up(ratio * visible), at least `minKeys`, at most `visible` (float64; golden/README.md, keep_count).
 * @param ratio 0 < ratio <= 1
 * @param visible causally visible keys of the row, >= 1
 */
export function keepCount(ratio: number, visible: number, minKeys = 1): number {
  return Math.min(Math.max(Math.floor(ratio * visible + 0.5), minKeys), visible);
}

/** Writes the counts of rows at positions nPast .. into counts[at .. at + rows - 1]. They never fall from row to row. */
export function fillKeepCounts(
  counts: Int32Array,
  { ratio, minKeys, nPast, rows }: { ratio: number; minKeys: number; nPast: number; rows: number },
  at = 0,
): void {
  for (let r = 0; r < rows; r++) counts[at + r] = keepCount(ratio, nPast + r + 1, minKeys);
}
