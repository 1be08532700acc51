/** Which heads share a launch of the pilot. */
import type { Head } from './types.ts';

/**
 * The heads of each bucket in the order of their ids, cut into the largest size that still fits (sizes 4, 2, 1: seven heads
 * make 4, 2, 1). Groups by ascending bucket. @param sizes numbers of heads that the device has graphs for, in any order
 * @throws {RangeError} where size 1 is missing
 */
export function fuseGroups(heads: readonly Head[], sizes: readonly number[]): number[][] {
  if (!sizes.includes(1)) throw new RangeError('a device needs a graph for a single head');
  const descending = [...sizes].sort((a, b) => b - a);
  const sorted = [...heads].sort((a, b) => a.bucket - b.bucket || a.id - b.id);
  const groups: number[][] = [];
  for (let start = 0; start < sorted.length; ) {
    const bucket = sorted[start]?.bucket;
    let end = start;
    while (sorted[end]?.bucket === bucket && end < sorted.length) end++;
    while (start < end) {
      const size = descending.find((fits) => fits <= end - start) ?? 1;
      groups.push(sorted.slice(start, start + size).map(({ id }) => id));
      start += size;
    }
  }
  return groups;
}
