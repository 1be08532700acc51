/** What sessions hold of a model's weights: exact for bundles, and for files what their import would write. */
import type { WeightFlavour } from '../../../contract/engine.ts';
import type { ModelConfig } from './config.ts';
import { planFast } from './import-fast.ts';
import { openModelSource } from './import-source.ts';
import { WEIGHTS_FILE } from './import-weights.ts';
import type { BundleManifest, EmbeddingLayout } from './manifest.ts';
import type { ModelFile } from './model-file.ts';

/** Bytes of a bundle's weights in memory. */
export function weightsOfBundle({ config, embedding, files, weights }: BundleManifest): number {
  if (weights === 'exact') return exactBytes(config);
  return fastBytes(files.find(({ name }) => name === WEIGHTS_FILE)?.bytes ?? 0, config, embedding);
}

/** The same of a model that has not been imported in this flavour. Throws AppError 'model-missing' where its file has gone. */
export async function weightsOfFile(file: ModelFile, weights: WeightFlavour): Promise<number> {
  if (weights === 'exact') return exactBytes(file.config);
  const source = await openModelSource(file);
  try {
    const plan = planFast(source, () => {
      throw new Error('a plan that is never written needs no calibration');
    });
    return fastBytes(plan.bytes, file.config, plan.embedding);
  } finally {
    await source.close();
  }
}

/** However they are stored, these weights are unpacked into float32 when their graphs are opened. */
function exactBytes({ nLayer, nEmbd, nHead, nHeadKv, headDim, nFf, nVocab }: ModelConfig): number {
  const attention = nEmbd * headDim * (2 * nHead + 2 * nHeadKv);
  return 4 * (nLayer * (attention + 3 * nEmbd * nFf) + nVocab * nEmbd);
}

/** What is in the weights file, without the rows of an embedding that is not the output matrix: these are read as needed. */
function fastBytes(bytes: number, { nVocab, nEmbd, tiedEmbeddings }: ModelConfig, embedding: EmbeddingLayout): number {
  if (tiedEmbeddings) return bytes;
  const values = nVocab * nEmbd;
  if (embedding.kind === 'float32') return bytes - 4 * values;
  const floats = (values / embedding.blockSize) * (embedding.addOffset === null ? 1 : 2);
  return bytes - values - 4 * floats;
}
