/** A real linear block of the default model, in the flavours of devices. */
import { join } from 'node:path';
import { writeGraphFiles } from '../../../main/engine/device/device-graph-files.ts';
import { DEVICE_SESSION_CONFIG } from '../../../main/engine/graph/device-block.ts';
import type { LinearFlavour } from '../../../main/engine/graph/device-flavours.ts';
import { realModelEngine, realModelPath } from '../../../main/engine/testdata/real-model.ts';
import { CACHE } from '../../../scripts/setup/paths.mjs';
import { loadNative } from '../../js/load.ts';
import { type Case, floats } from './device-run.ts';

/** Rows of the graph: a small chunk. */
export const ROWS = 16;
/** Between the attentions of layers 14 and 15, in the middle of the model. */
const BLOCK = 15;

/** The block with even noise in the range of its usual inputs; both inputs [ROWS, nEmbd]. */
export async function linearBlock(flavour: LinearFlavour): Promise<Case> {
  const bundle = await realModelEngine().import({ model: realModelPath(), weights: 'fast' });
  const { blocks } = await writeGraphFiles({
    ...{ native: loadNative(), bundle, flavour, chunk: ROWS },
    cacheDir: join(CACHE, 'device-tests', 'graphs'),
  });
  const graph = blocks[BLOCK]?.prefill;
  if (graph === undefined) throw new Error('the model has fewer layers');
  const { nEmbd, nHead, headDim } = bundle.manifest.config;
  const inputs = [floats(ROWS * nHead * headDim, 3, 0.5), floats(ROWS * nEmbd, 4, 2)];
  return { graph, config: DEVICE_SESSION_CONFIG, inputs };
}
