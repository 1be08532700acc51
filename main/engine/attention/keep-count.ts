/** How many keys a row keeps. */

/**
 * k = round half up(ratio * visible), at least `minKeys`, at most `visible` (float64; golden/README.md, keep_count).
 * @param ratio 0 < ratio <= 1
 * @param visible causally visible keys of the row, >= 1
 */
export function keepCount(ratio: number, visible: number, minKeys = 1): number {
  return Math.min(Math.max(Math.floor(ratio * visible + 0.5), minKeys), visible);
}
