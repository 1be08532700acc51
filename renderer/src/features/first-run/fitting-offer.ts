/** The one model that is offered to begin with. */
import type { OfferedModel } from '../../../../contract/models.ts';

/** A first download should not take all evening. */
const LARGEST_BYTES = 1.5e9;

/** The largest model that fits with room to spare and is quick to get; else the smallest of all. */
export function fittingOffer(catalog: readonly OfferedModel[]): OfferedModel | undefined {
  const bySize = [...catalog].sort((a, b) => b.parameters - a.parameters);
  return bySize.find(({ fit, bytes }) => fit.level === 'fits' && bytes <= LARGEST_BYTES) ?? bySize.at(-1);
}
