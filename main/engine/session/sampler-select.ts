/** Partial selection over logits: the likeliest tokens without sorting a vocabulary of 50,000 to 150,000. */

/** Steps by which the threshold of `topByMass` goes down, in nats. */
const BAND = 4;

/** Ids of the `count` greatest of `values`, best first; among equals the lower id. */
export function topByCount(values: Float64Array, count: number): Int32Array {
  // A heap of the chosen with the worst on top; one comparison for nearly every value.
  const heap = new Int32Array(count);
  let size = 0;
  const worse = (a: number, b: number): boolean => {
    const va = values[a] ?? 0;
    const vb = values[b] ?? 0;
    return va < vb || (va === vb && a > b);
  };
  const sink = (start: number): void => {
    const id = heap[start] ?? 0;
    let at = start;
    for (;;) {
      let below = 2 * at + 1;
      if (below >= size) break;
      if (below + 1 < size && worse(heap[below + 1] ?? 0, heap[below] ?? 0)) below++;
      const child = heap[below] ?? 0;
      if (!worse(child, id)) break;
      heap[at] = child;
      at = below;
    }
    heap[at] = id;
  };
  for (let id = 0; id < values.length; id++) {
    if (size < count) {
      heap[size++] = id;
      if (size === count) for (let at = count >> 1; at >= 0; at--) sink(at);
    } else if (worse(heap[0] ?? 0, id)) {
      heap[0] = id;
      sink(0);
    }
  }
  return heap.subarray(0, size).sort((a, b) => (worse(a, b) ? 1 : -1));
}

/**
 * The fewest likeliest ids whose probabilities reach `mass` (0 < mass < 1) of all of `ids` (null: of every value), best
 * first. `max` is the greatest value. Mass counts exp(value - max).
 */
export function topByMass(values: Float64Array, ids: Int32Array | null, max: number, mass: number): Int32Array {
  const count = ids ? ids.length : values.length;
  const idAt = (i: number): number => (ids ? (ids[i] ?? 0) : i);
  let total = 0;
  for (let i = 0; i < count; i++) total += Math.exp((values[idAt(i)] ?? 0) - max);
  const wanted = mass * total;

  // Few tokens hold most of the mass: look at those within a band of the best, and widen it until they hold enough.
  let chosen: number[] = [];
  for (let band = BAND; ; band += BAND) {
    chosen = [];
    let sum = 0;
    for (let i = 0; i < count; i++) {
      const value = values[idAt(i)] ?? 0;
      if (value < max - band) continue;
      chosen.push(idAt(i));
      sum += Math.exp(value - max);
    }
    // Rounding can keep a sum of all below a mass close to 1.
    if (sum >= wanted || chosen.length === count || band > 700) break;
  }
  chosen.sort((a, b) => (values[b] ?? 0) - (values[a] ?? 0) || a - b);
  let sum = 0;
  let kept = 0;
  while (kept < chosen.length && sum < wanted) sum += Math.exp((values[chosen[kept++] ?? 0] ?? 0) - max);
  return Int32Array.from(chosen.slice(0, Math.max(kept, 1)));
}
