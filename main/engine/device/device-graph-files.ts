/**
 * Writes the linear graphs of a model for a flavour into a folder of the bundle's own: measured ranges, one file of weights
 * for each kind, and small graphs that refer to it. What is there already and whole is used again.
 */
import { createHash, randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError } from '../../../contract/errors.ts';
import type { NativeAddon } from '../../../native/js/index.ts';
import { mixtureOf } from '../calibration/windows.ts';
import { deviceBlock } from '../graph/device-block.ts';
import { FLAVOUR_FORMS, type LinearFlavour, type WeightKind } from '../graph/device-flavours.ts';
import { replaceFile } from '../model/attention-calibration-file.ts';
import { type Bundle, MANIFEST_FILE } from '../model/bundle.ts';
import { checkDiskSpace, explainWriteError, isAlive, sha256File } from '../model/import-files.ts';
import { resourceFile } from '../paths.ts';
import { createTokenizer } from '../tokenizer/create-tokenizer.ts';
import { type LayerRanges, measureRanges, removeScratch } from './activation-ranges.ts';
import { BundleWeights } from './bundle-weights.ts';
import { type WrittenWeights, writeDeviceWeights } from './device-weights.ts';
import { readSealed, writeSealed } from './sealed-json.ts';

/** Changes whenever other code writes other ranges or weights. */
const FORMAT = 2;
/** Tokens of the calibration text that ranges are measured on, in pieces from all over it. */
const RANGE_TOKENS = 1024;
const RANGE_PIECE = 256;
/** Folders of measuring graphs: the process id and a random part follow. */
const PROBES = 'probes-';
const WEIGHT_BITS: Record<WeightKind, number> = { int8: 8, int4: 4, float16: 16 };

export interface GraphFilesRequest {
  native: NativeAddon;
  bundle: Bundle;
  flavour: LinearFlavour;
  /** Rows of a prefill graph. */
  chunk: number;
  /** Folder of all device graphs; made if needed. */
  cacheDir: string;
  /** Told of each measured or written layer. */
  onProgress?: (done: number, total: number) => void;
  signal?: AbortSignal;
}

export interface GraphFiles {
  /** Where they lie, for what else belongs to this bundle. */
  dir: string;
  /** Of the weights that all graphs share. */
  weightsSha256: string;
  /** nLayer + 1, as in DeviceGraphs. */
  blocks: { prefill: string; decode: string }[];
}

/** Throws AppError 'cancelled', 'disk-full', 'storage-failed' or 'model-invalid'. */
export async function writeGraphFiles(request: GraphFilesRequest): Promise<GraphFiles> {
  const { bundle, flavour, chunk, cacheDir, signal } = request;
  const { config } = bundle.manifest;
  const dir = join(cacheDir, folderName(bundle));
  const weights = new BundleWeights(bundle);
  let done = 0;
  const step = async () => {
    done++;
    request.onProgress?.(Math.min(done, 2 * config.nLayer), 2 * config.nLayer);
    await new Promise((resolve) => setImmediate(resolve));
    if (signal?.aborted) throw new AppError('cancelled', 'Making graphs for the device was stopped.');
  };
  try {
    await mkdir(dir, { recursive: true });
    await removeOthers(cacheDir, bundle);
    const stored = await ensureWeights({ ...request, dir, weights, step });
    const blocks = [];
    for (let i = 0; i <= config.nLayer; i++) {
      const paths = [chunk, 1].map((rows) => {
        const path = join(dir, `${flavour}-${rows}-${String(i).padStart(3, '0')}.onnx`);
        const graph = deviceBlock(config, flavour, rows, stored.layers[i - 1] ?? null, stored.layers[i] ?? null);
        return { path, graph };
      });
      for (const { path, graph } of paths) {
        if (!existsSync(path) || !readFileSync(path).equals(graph)) await replaceFile(path, graph);
      }
      const [prefill, decode] = paths.map(({ path }) => path);
      if (prefill === undefined || decode === undefined) throw new Error('a block has two graphs');
      blocks.push({ prefill, decode });
    }
    return { dir, weightsSha256: stored.sha256, blocks };
  } catch (error) {
    throw explainWriteError(error, cacheDir);
  } finally {
    await weights.close();
  }
}

/** A folder's name for what is made from exactly this bundle by this version. */
function folderName(bundle: Bundle): string {
  const manifest = readFileSync(join(bundle.dir, MANIFEST_FILE));
  const digest = createHash('sha256').update(`${FORMAT}\n`).update(manifest).digest('hex').slice(0, 16);
  return `${prefixOf(bundle)}${digest}`;
}

function prefixOf({ manifest }: Bundle): string {
  return `${manifest.id}-${manifest.weights}-`;
}

/** Removes what was made from an earlier import of the same model. */
async function removeOthers(cacheDir: string, bundle: Bundle): Promise<void> {
  const [prefix, current] = [prefixOf(bundle), folderName(bundle)];
  for (const name of await readdir(cacheDir)) {
    const isOurs = name.startsWith(prefix) && /^[0-9a-f]{16}$/.test(name.slice(prefix.length));
    if (isOurs && name !== current) await rm(join(cacheDir, name), { recursive: true, force: true, maxRetries: 3 });
  }
}

interface Work extends GraphFilesRequest {
  dir: string;
  weights: BundleWeights;
  step: () => Promise<void>;
}

/** The file of weights that the flavour needs, and where in it everything lies. */
async function ensureWeights(work: Work): Promise<WrittenWeights> {
  const { dir, weights } = work;
  const kind = FLAVOUR_FORMS[work.flavour].weights;
  const name = `weights-${kind}`;
  const path = join(dir, `${name}.bin`);
  const known = await readSealed<WrittenWeights>(join(dir, `${name}.json`));
  if (known !== undefined && (await isWhole(path, known))) return known;
  const ranges = await ensureRanges(work);
  const { nLayer, nEmbd, nHead, nHeadKv, headDim, nFf } = work.bundle.manifest.config;
  const values = nLayer * nEmbd * (2 * (nHead + nHeadKv) * headDim + 3 * nFf);
  await checkDiskSpace(dir, (values * WEIGHT_BITS[kind]) / 8);
  const temp = `${path}.${process.pid}-${randomBytes(4).toString('hex')}.tmp`;
  try {
    const written = await writeDeviceWeights(temp, `${name}.bin`, { weights, ranges, kind }, work.step);
    await rename(temp, path);
    await writeSealed(join(dir, `${name}.json`), written);
    return written;
  } catch (error) {
    await rm(temp, { force: true });
    throw error;
  }
}

async function isWhole(path: string, { bytes, sha256 }: WrittenWeights): Promise<boolean> {
  const found = await stat(path).catch(() => undefined);
  return found?.size === bytes && (await sha256File(path, () => {})) === sha256;
}

async function ensureRanges({ native, bundle, dir, weights, step, signal }: Work): Promise<LayerRanges[]> {
  const path = join(dir, 'ranges.json');
  const known = await readSealed<Record<keyof LayerRanges, number[]>[]>(path);
  if (known !== undefined) return known.map(fromJson);
  for (const name of await readdir(dir)) {
    if (name.startsWith(PROBES) && !isAlive(Number(name.slice(PROBES.length).split('-')[0]))) {
      await removeScratch(join(dir, name));
    }
  }
  const text = await readFile(resourceFile('calibration.txt'), 'utf8');
  const tokens = createTokenizer(bundle.tokenizerSource()).encode(text, { addSpecial: true });
  const { contextTrained, nLayer } = bundle.manifest.config;
  const ids = mixtureOf(tokens, Math.min(RANGE_TOKENS, contextTrained), RANGE_PIECE);
  const ranges = await measureRanges({
    native,
    bundle,
    weights,
    ids,
    scratch: join(dir, `${PROBES}${process.pid}-${randomBytes(4).toString('hex')}`),
    ...(signal ? { signal } : {}),
  });
  await writeSealed(path, ranges.map(toJson));
  for (let i = 0; i < nLayer; i++) await step();
  return ranges;
}

function toJson(ranges: LayerRanges): object {
  return Object.fromEntries(Object.entries(ranges).map(([name, maxima]) => [name, [...maxima]]));
}

function fromJson(json: Record<keyof LayerRanges, number[]>): LayerRanges {
  const of = (name: keyof LayerRanges) => Float32Array.from(json[name]);
  return {
    attnNorm: of('attnNorm'),
    ffnNorm: of('ffnNorm'),
    qkv: of('qkv'),
    query: of('query'),
    key: of('key'),
    value: of('value'),
    attention: of('attention'),
    out: of('out'),
    gateUp: of('gateUp'),
    gate: of('gate'),
    up: of('up'),
    act: of('act'),
    down: of('down'),
  };
}
