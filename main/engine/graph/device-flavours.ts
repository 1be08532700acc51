/** How each flavour of a device's linear graphs stores weights and rounds activations. */
import type { GraphFlavour } from '../../../contract/engine.ts';

/** Flavours of linear graphs that are made for devices; the others are the bundle's own and the pilot's. */
export type LinearFlavour = Exclude<GraphFlavour, 'pilot-u8' | 'cpu'>;

/** int8 and int4: symmetric, one scale for each output channel. */
export type WeightKind = 'int8' | 'int4' | 'float16';

export interface FlavourForm {
  weights: WeightKind;
  /**
   * uint16: everything between two normalisations is 16 bit integers with static ranges. uint8: what enters a projection is
   * rounded to 8 bits in a static range, what leaves it is a float. rows: the same, but each row is divided by its greatest
   * value first. float16: nothing is rounded but to half precision.
   */
  activations: 'uint16' | 'uint8' | 'rows' | 'float16';
}

export const FLAVOUR_FORMS: Readonly<Record<LinearFlavour, FlavourForm>> = {
  w8a16: { weights: 'int8', activations: 'uint16' },
  w4a16: { weights: 'int4', activations: 'uint16' },
  w8a8: { weights: 'int8', activations: 'uint8' },
  'w8a8-rows': { weights: 'int8', activations: 'rows' },
  fp16: { weights: 'float16', activations: 'float16' },
};

export const LINEAR_FLAVOURS = Object.keys(FLAVOUR_FORMS) as LinearFlavour[];

/**
 * Flavours that lose more than 2 % of perplexity to the exact weights, and are not chosen unasked; measured by
 * `cli eval flavours` on the default model (docs/benchmarks.md).
 */
export const LOSSY_FLAVOURS: ReadonlySet<string> = new Set<LinearFlavour>(['w4a16', 'w8a8']);
