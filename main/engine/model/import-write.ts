/** Writes the files of one flavour of a bundle, all but its manifest, and describes them in one. */
import { statSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { WeightFlavour } from '../../../contract/engine.ts';
import { type BlockShape, blockGraph, headGraph } from '../graph/blocks.ts';
import { TOKENIZER_FILE } from './bundle.ts';
import { sha256File, writeDurably } from './import-files.ts';
import { type Step, WEIGHTS_FILE, type WeightPlan, WeightWriter } from './import-weights.ts';
import { BUNDLE_VERSION, type BundleManifest, type TokenizerSource } from './manifest.ts';

/** All that a bundle is made of. */
export interface BundleContent {
  about: Pick<BundleManifest, 'id' | 'name' | 'source' | 'config'>;
  weights: WeightFlavour;
  plan: WeightPlan;
  tokenizer: TokenizerSource;
  notes: string[];
}

const HEAD_FILE = 'head.onnx';

/** Writes weights, graphs and tokenizer into the new folder `dir` and flushes them to the disk. */
export async function writeContent(dir: string, content: BundleContent, step: Step): Promise<void> {
  const { plan, about } = content;
  await mkdir(dir);
  const writer = await WeightWriter.create(join(dir, WEIGHTS_FILE), plan.bytes);
  try {
    for (const job of plan.jobs) await job.run(writer, step);
    await writer.sync();
  } finally {
    await writer.close();
  }
  for (const [i, name] of blockNames(plan, 'block').entries()) {
    await writeDurably(join(dir, name), planBlock(about.config, plan, i, false));
  }
  await writeDurably(join(dir, HEAD_FILE), headGraph(about.config, plan.outputNorm, plan.head));
  await writeDurably(join(dir, TOKENIZER_FILE), JSON.stringify(content.tokenizer));
}

/** Writes the block graphs that also give channel maxima beside the others and returns their paths. */
export async function writeStatsGraphs(dir: string, content: BundleContent): Promise<string[]> {
  const { plan, about } = content;
  const paths = blockNames(plan, 'stats').map((name) => join(dir, name));
  for (const [i, path] of paths.entries()) await writeFile(path, planBlock(about.config, plan, i, true));
  return paths;
}

/** The manifest of the content in `dir`, whose files must be complete. */
export function buildManifest(
  dir: string,
  content: BundleContent,
  calibration: BundleManifest['calibration'],
): BundleManifest {
  const { about, weights, plan, notes } = content;
  const blocks = blockNames(plan, 'block');
  const names = [...blocks, HEAD_FILE, WEIGHTS_FILE, TOKENIZER_FILE];
  const { textSha256, tokens, meanLambdaQ, meanLambdaK } = calibration;
  return {
    formatVersion: BUNDLE_VERSION,
    ...about,
    weights,
    graphs: { blocks, head: HEAD_FILE },
    embedding: plan.embedding,
    calibration: { textSha256, tokens, meanLambdaQ, meanLambdaK },
    files: names.map((name) => ({ name, bytes: statSync(join(dir, name)).size })),
    notes,
  };
}

/** The manifest with a checksum of each file in `dir`. `step` may throw to stop. */
export async function withChecksums(dir: string, manifest: BundleManifest, step: () => void): Promise<BundleManifest> {
  const files: BundleManifest['files'] = [];
  for (const file of manifest.files) {
    files.push({ ...file, sha256: await sha256File(join(dir, file.name), step) });
  }
  return { ...manifest, files };
}

function blockNames(plan: WeightPlan, prefix: 'block' | 'stats'): string[] {
  return Array.from({ length: plan.layers.length + 1 }, (_, i) => `${prefix}-${String(i).padStart(3, '0')}.onnx`);
}

function planBlock(shape: BlockShape, plan: WeightPlan, index: number, stats: boolean): Uint8Array {
  return blockGraph(shape, plan.layers[index - 1] ?? null, plan.layers[index] ?? null, { stats });
}
