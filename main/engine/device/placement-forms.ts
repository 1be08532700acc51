/** In which form a device gets the linear parts of a model. */
import type { DeviceInfo } from '../../../contract/engine.ts';
import { type LinearFlavour, LOSSY_FLAVOURS } from '../graph/device-flavours.ts';

export interface LinearForm {
  /** `cpu`: the bundle's own graphs. */
  flavour: LinearFlavour | 'cpu';
  /** Whether it loses more quality than is offered unasked. */
  lossy: boolean;
}

/** The best form that a device takes and that keeps the quality, else the best that it takes; undefined where it takes none. */
export function linearForm({ flavours }: Pick<DeviceInfo, 'flavours'>): LinearForm | undefined {
  const linear = flavours.filter((flavour): flavour is LinearForm['flavour'] => flavour !== 'pilot-u8');
  const kept = linear.find((flavour) => !LOSSY_FLAVOURS.has(flavour));
  const [best] = kept === undefined ? linear : [kept];
  return best && { flavour: best, lossy: kept === undefined };
}
