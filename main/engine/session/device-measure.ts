/** How long the linear parts of a model take on a device, and on the processor beside it. Engine thread. */
import { OWN_CODE, type PartCost } from '../device/placement.ts';
import { Breath } from './breath.ts';
import type { LinearPart, PlacedLinear } from './device-parts.ts';
import type { LoadedModel } from './loaded-model.ts';

/** Rounds over all blocks after a first that is not counted; fewer where they take long. */
const ROUNDS = 3;
const MOST_MS = 3_000;

/**
 * Least milliseconds of all blocks for a chunk of rows (`linear`) or one row (`decode`). What the model's memory holds in
 * activations is overwritten. Throws DeviceFault, and AppError 'cancelled'.
 */
export async function measureLinear(
  model: LoadedModel,
  { device, host }: PlacedLinear,
  part: LinearPart,
  signal: AbortSignal | undefined,
): Promise<PartCost[]> {
  const { forward } = model;
  const rows = part === 'decode' ? 1 : forward.chunkSize;
  const kind = part === 'decode' ? 'decode' : 'prefill';
  const breath = new Breath(signal);
  const onDevice = async (block: number) => {
    await host.run(block, kind, forward.blockTensors(block, rows), 0, breath);
  };
  const onProcessor = async (block: number) => {
    forward.runBlock(block, rows);
    await breath.take();
  };
  forward.clear();
  const own = await leastTime(model.shared.shape.nLayer + 1, onProcessor);
  forward.clear();
  const theirs = await leastTime(model.shared.shape.nLayer + 1, onDevice);
  return [
    { part, device: OWN_CODE, ms: own },
    { part, device, ms: theirs },
  ];
}

async function leastTime(blocks: number, run: (block: number) => Promise<void>): Promise<number> {
  const started = performance.now();
  let least = Number.POSITIVE_INFINITY;
  for (let round = 0; round <= ROUNDS; round++) {
    const start = performance.now();
    for (let block = 0; block < blocks; block++) await run(block);
    const end = performance.now();
    if (round > 0) least = Math.min(least, end - start);
    if (round > 0 && end - started > MOST_MS) break;
  }
  return least;
}
