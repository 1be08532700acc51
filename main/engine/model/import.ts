/**
 * Turns a model file, or a folder of safetensors, into a bundle: graphs, weights, tokenizer, manifest. Everything that can be refused is refused before
 * anything is written; what is written grows in a temporary folder and appears under its name in one step, or not at all.
 * Runs on the engine thread and lets other work in between pieces.
 */
import { existsSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Progress, WeightFlavour } from '../../../contract/engine.ts';
import { AppError } from '../../../contract/errors.ts';
import { phrase } from '../../../contract/phrase.ts';
import { readAttentionCalibration, writeAttentionCalibration } from './attention-calibration-file.ts';
import { Bundle, MANIFEST_FILE, openBundle } from './bundle.ts';
import { planExact } from './import-exact.ts';
import { planFast } from './import-fast.ts';
import * as files from './import-files.ts';
import { asBlocks } from './import-round.ts';
import { type Matrix, type ModelSource, openModelSource } from './import-source.ts';
import { type BundleContent, buildManifest, withChecksums, writeContent, writeStatsGraphs } from './import-write.ts';
import type { CalibrationStats } from './manifest.ts';
import { type ModelFile, readModelFile } from './model-file.ts';

/** Graphs, tokenizer and manifest: small beside the weights, so an upper bound will do for the check of free space. */
const SMALL_FILES_BYTES = 64e6;

/** An id is a folder's name on every system. */
const BUNDLE_ID = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/;

export interface ImportOptions {
  /** Folder of all bundles; made if needed. */
  bundlesDir: string;
  /** Name of the bundle's folder and the model's id: letters, digits, `.`, `_`, `-`. */
  id: string;
  weights: WeightFlavour;
  /** What people know it by; default: the name of its file or folder. */
  name?: string;
  /**
   * Runs the exact graphs over a text; `statsBlocks` are the paths of variants of `bundle.blockPaths` that also give the
   * channel maxima. The bundle's own `calibration` is not set yet. It is closed and its folder may go when this settles.
   */
  calibrate(bundle: Bundle, statsBlocks: string[]): Promise<CalibrationStats>;
  onProgress?(progress: Progress): void;
  signal?: AbortSignal;
}

/**
 * Imports the model at `path`, a .gguf file or a folder with safetensors, and returns the path of its bundle folder, ready for `openBundle`. A whole bundle of the
 * same file and flavour that is already there is returned at once. Throws AppError: the reader's kinds for a bad file,
 * 'bad-input' when another model has the id, 'disk-full', 'storage-failed', 'cancelled'.
 */
export async function importModel(path: string, options: ImportOptions): Promise<string> {
  if (!BUNDLE_ID.test(options.id)) {
    throw new AppError('bad-input', phrase`"${options.id}" cannot be a model's id.`, {
      action: 'Use letters, digits, ".", "_" and "-", a letter or digit first.',
    });
  }
  const file = await readModelFile(path);
  const source = await openModelSource(file);
  try {
    return await importSource(file, source, options);
  } catch (error) {
    throw files.explainWriteError(error, options.bundlesDir);
  } finally {
    await source.close();
  }
}

async function importSource(file: ModelFile, source: ModelSource, options: ImportOptions): Promise<string> {
  const { tokenizer } = file;
  let stats: CalibrationStats | undefined;
  const measured = () => {
    if (stats === undefined) throw new Error('fast weights were written before calibration');
    return stats;
  };
  const exact = planExact(source);
  const fast = options.weights === 'fast' ? planFast(source, measured) : null;
  const bytesToWrite = [...exact.jobs, ...(fast?.jobs ?? [])].reduce((sum, job) => sum + job.bytes, 0);
  const advance = progressCounter(file.bytes + bytesToWrite, options);

  await mkdir(options.bundlesDir, { recursive: true });
  await files.removeLeftovers(options.bundlesDir);
  const sha256 = await files.sha256Model(file.files, (bytes) => advance(bytes, 'Checking the file'));
  const target = join(options.bundlesDir, options.id, options.weights);
  if (isFinished(target, sha256)) return target;
  await files.checkDiskSpace(options.bundlesDir, exact.bytes + (fast?.bytes ?? 0) + SMALL_FILES_BYTES);

  const about = {
    id: options.id,
    // The file's name is what people know a model by; general.name often holds a training run's label.
    name: options.name ?? files.modelName(file.path),
    source: { fileName: basename(file.path), bytes: file.bytes, sha256 },
    config: source.config,
  };
  const temp = await files.makeTempFolder(options.bundlesDir);
  try {
    const write = (dir: string, content: BundleContent) =>
      writeContent(dir, content, async (bytes) => {
        advance(bytes, `Writing ${content.weights} weights`);
        // Between pieces the engine must hear a cancel.
        await new Promise((resolve) => setImmediate(resolve));
      });
    let dir = join(temp, 'exact');
    let content: BundleContent = { about, weights: 'exact', plan: exact, tokenizer, notes: [] };
    await write(dir, content);
    stats = await calibrate(dir, content, options);
    throwIfAborted(options.signal);
    if (fast !== null) {
      dir = join(temp, 'fast');
      content = { about, weights: 'fast', plan: fast, tokenizer, notes: requantisationNotes(source) };
      await write(dir, content);
    }
    const manifest = await withChecksums(dir, buildManifest(dir, content, stats), () => throwIfAborted(options.signal));
    await files.writeDurably(join(dir, MANIFEST_FILE), `${JSON.stringify(manifest, null, 2)}\n`);
    throwIfAborted(options.signal);
    await publishOver(dir, target, sha256);
    // What another flavour's import, or a full calibration, has measured is at least as good.
    if (stats.attention !== undefined && readAttentionCalibration(target, manifest) === undefined) {
      await writeAttentionCalibration(target, stats.attention);
    }
  } finally {
    await files.removeTempFolder(temp);
  }
  return target;
}

/** Has the caller run the exact graphs in `dir`. The graphs with extra outputs exist for that long only. */
async function calibrate(dir: string, content: BundleContent, options: ImportOptions): Promise<CalibrationStats> {
  const unset = { textSha256: '', tokens: 0, meanLambdaQ: 1, meanLambdaK: 1 };
  const bundle = new Bundle(dir, buildManifest(dir, content, unset));
  const statsBlocks = await writeStatsGraphs(dir, content);
  try {
    return await options.calibrate(bundle, statsBlocks);
  } finally {
    bundle.close();
    await Promise.all(statsBlocks.map((path) => rm(path)));
  }
}

/** True when `target` is a whole bundle of the file with that hash; throws when it is a whole bundle of another. */
function isFinished(target: string, sha256: string): boolean {
  if (!existsSync(target)) return false;
  let manifest: Bundle['manifest'];
  try {
    const bundle = openBundle(target);
    bundle.close();
    manifest = bundle.manifest;
  } catch {
    return false; // Damaged or of another version: it is replaced.
  }
  if (manifest.source.sha256 === sha256) return true;
  throw new AppError('bad-input', phrase`Another model is already imported under the id "${manifest.id}".`, {
    action: 'Remove that model, or rename the file.',
  });
}

/** Publishes `dir` as `target`; a damaged bundle there gives way, a whole one that someone else just finished stays. */
async function publishOver(dir: string, target: string, sha256: string): Promise<void> {
  if (isFinished(target, sha256)) return;
  await rm(target, { recursive: true, force: true });
  try {
    await files.publish(dir, target);
  } catch (error) {
    if (!isFinished(target, sha256)) throw error;
  }
}

/** What the user should know of the fast flavour's weights: everything that does not keep its stored value. */
function requantisationNotes(source: ModelSource): string[] {
  const projections = source.layers.flatMap((l) => [l.query, l.key, l.value, l.out, l.gate, l.up, l.down]);
  const notes = [
    `Projections are re-quantised from ${typeNames(projections)} to 8 bit per output channel; the exact weights keep the stored values.`,
  ];
  const head = source.output ?? source.embedding;
  if (asBlocks(head) !== head) {
    notes.push(`The output matrix is re-quantised from ${typeNames([head])} to blocks of 8 bit.`);
  }
  return notes;
}

function typeNames(matrices: Matrix[]): string {
  return [...new Set(matrices.map((matrix) => matrix.type))].sort().join(', ');
}

/** Counts finished bytes, reports them, and throws AppError 'cancelled' once the signal is aborted. */
function progressCounter(total: number, options: ImportOptions): (bytes: number, note: string) => void {
  let done = 0;
  return (bytes, note) => {
    throwIfAborted(options.signal);
    done += bytes;
    options.onProgress?.({ stage: 'import', done, total, note });
  };
}

function throwIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted === true) throw new AppError('cancelled', 'The import was cancelled.');
}
