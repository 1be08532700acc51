import { expect, it } from 'vitest';
import type { FitLevel, OfferedModel } from '../../../../contract/models.ts';
import { fittingOffer } from './fitting-offer.ts';

const offer = (id: string, parameters: number, bytes: number, level: FitLevel) =>
  ({ id, parameters, bytes, fit: { level } }) as OfferedModel;

it('offers the largest model that fits with room to spare and is quick to get', () => {
  const small = offer('small', 1.3e8, 1e8, 'fits');
  const middle = offer('middle', 1.5e9, 1e9, 'fits');
  const tight = offer('tight', 1.7e9, 1.1e9, 'tight');
  const long = offer('long', 3e9, 2e9, 'fits');
  expect(fittingOffer([small, long, middle, tight])).toBe(middle);
  expect(fittingOffer([tight, offer('none', 2e8, 1e8, 'no')])?.id).toBe('none');
  expect(fittingOffer([])).toBeUndefined();
});
