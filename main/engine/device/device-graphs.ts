/**
 * The linear parts of a model as graphs that a device takes: written from the bundle's weights, compiled where the execution
 * provider keeps compiled graphs, and kept in a cache folder.
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { DeviceInfo } from '../../../contract/engine.ts';
import type { NativeAddon } from '../../../native/js/index.ts';
import { DEVICE_SESSION_CONFIG } from '../graph/device-block.ts';
import type { LinearFlavour } from '../graph/device-flavours.ts';
import type { Bundle } from '../model/bundle.ts';
import { LEADING_TOKENS } from './activation-ranges.ts';
import { compileGraphs } from './compile-graphs.ts';
import { CompiledCache } from './compiled-cache.ts';
import { writeGraphFiles } from './device-graph-files.ts';
import { findPrebuilt } from './prebuilt-graphs.ts';
import type { OpenDevice } from './registry.ts';

/** Execution providers that can write what they have compiled (nodes of type EPContext). */
const KEEPS_COMPILED: ReadonlySet<string> = new Set([
  'QNNExecutionProvider',
  'OpenVINOExecutionProvider',
  'VitisAIExecutionProvider',
]);
/** Most bytes of compiled graphs that a bundle's folder keeps: two devices of a model of some billion weights. */
const COMPILED_LIMIT = 16e9;

export interface DeviceGraphRequest {
  native: NativeAddon;
  bundle: Bundle;
  device: Pick<DeviceInfo, 'id' | 'name' | 'executionProvider' | 'epVersion' | 'driver'>;
  /** DeviceRegistry.open of the device. */
  open: OpenDevice;
  flavour: LinearFlavour;
  /** Rows of a prefill graph. */
  chunk: number;
  /** Folder of all device graphs, in the model's folder; made if needed. */
  cacheDir: string;
  onProgress?: (done: number, total: number) => void;
  signal?: AbortSignal;
}

export interface DeviceGraphs {
  flavour: LinearFlavour;
  /** Rows of the prefill graphs; decode graphs have one. */
  chunk: number;
  /**
   * Absolute paths, nLayer + 1, ready for `openSession` with the device. They are cut where the bundle's blocks are and have
   * the same float32 inputs and outputs in the same order (manifest.ts), with that many rows and no others. The head is the
   * bundle's own.
   */
  blocks: { prefill: string; decode: string }[];
  /** ORT session config entries that every session of them needs. */
  sessionConfig: Readonly<Record<string, string>>;
  /** Whether they hold compiled code of the device; else it compiles them whenever they are opened. */
  compiled: boolean;
  /** How many tokens at the very beginning of a prompt must run on the CPU's blocks: quantised ranges leave them out. */
  cpuTokens: number;
}

/**
 * Makes what is not in the cache, from what npu-compile made where the device takes it. Compiling runs on a thread of its own; a stop takes effect between two graphs, and what is
 * compiled stays. Throws AppError 'cancelled', 'disk-full', 'storage-failed', 'device-unusable' with what the compiler says,
 * 'model-invalid' where the bundle cannot be read.
 */
export async function prepareDeviceGraphs(request: DeviceGraphRequest): Promise<DeviceGraphs> {
  const { device, flavour, chunk } = request;
  const compiles = KEEPS_COMPILED.has(device.executionProvider);
  const graphs = 2 * (request.bundle.manifest.config.nLayer + 1);
  let written = 0;
  const files = await writeGraphFiles({
    ...request,
    onProgress: (done, total) => {
      written = total;
      request.onProgress?.(done, total + (compiles ? graphs : 0));
    },
  });
  const about = { flavour, chunk, cpuTokens: LEADING_TOKENS, sessionConfig: DEVICE_SESSION_CONFIG };
  if (!compiles) return { ...about, blocks: files.blocks, compiled: false };

  const cache = new CompiledCache(join(files.dir, 'compiled'), COMPILED_LIMIT);
  const wanted = files.blocks.flatMap(({ prefill, decode }) => [prefill, decode]);
  const keys = wanted.map((path) => compiledKey(path, files.weightsSha256, device));
  const paths: (string | undefined)[] = [];
  for (const key of keys) paths.push(await cache.find(key));
  const missing = [];
  for (const [place, graph] of wanted.entries()) {
    if (paths[place] !== undefined) continue;
    const key = keys[place] ?? '';
    const modelFolder = dirname(request.cacheDir);
    const prebuilt = await findPrebuilt(modelFolder, device.executionProvider, graph, files.weightsSha256);
    missing.push({ graph, key, place, output: cache.temporary(key), prebuilt });
  }
  let done = wanted.length - missing.length;
  await compileGraphs({
    device: device.name,
    open: request.open,
    jobs: missing,
    async onCompiled({ key, output, place }) {
      paths[place] = await cache.keep(key, output);
      done++;
      request.onProgress?.(written + done, written + graphs);
    },
    ...(request.signal ? { signal: request.signal } : {}),
  });
  await cache.trim(new Set(keys));
  const at = (i: number) => {
    const path = paths[i];
    if (path === undefined) throw new Error('a graph was neither found nor compiled');
    return path;
  };
  return {
    ...about,
    blocks: files.blocks.map((_, i) => ({ prefill: at(2 * i), decode: at(2 * i + 1) })),
    compiled: true,
  };
}

/** Names compiled code by all that it depends on. */
function compiledKey(graph: string, weightsSha256: string, device: DeviceGraphRequest['device']): string {
  const { id, executionProvider, epVersion, driver } = device;
  return createHash('sha256')
    .update(JSON.stringify([weightsSha256, id, executionProvider, epVersion ?? null, driver ?? null]))
    .update(readFileSync(graph))
    .digest('hex');
}
