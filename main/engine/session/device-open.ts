/** Opens the linear parts of a loaded model on a device: its graphs, then a thread that drives it. Engine thread. */
import type { DeviceInfo } from '../../../contract/engine.ts';
import type { NativeAddon } from '../../../native/js/index.ts';
import { prepareDeviceGraphs } from '../device/device-graphs.ts';
import type { OpenDevice } from '../device/registry.ts';
import type { LinearFlavour } from '../graph/device-flavours.ts';
import type { Bundle } from '../model/bundle.ts';
import type { BlockKind } from './device-board.ts';
import { DeviceHost } from './device-host.ts';
import type { LinearPart, PlacedLinear } from './device-parts.ts';
import type { AttentionShape } from './shared-model.ts';

export interface OpenPartsRequest {
  native: NativeAddon;
  bundle: Bundle;
  shape: AttentionShape;
  /** Rows of a prefill graph. */
  chunk: number;
  device: Pick<DeviceInfo, 'id' | 'name' | 'executionProvider' | 'epVersion' | 'driver'>;
  open: OpenDevice;
  /** `cpu`: the bundle's own graphs. */
  flavour: LinearFlavour | 'cpu';
  parts: readonly LinearPart[];
  /** Folder of device graphs; needed by all flavours but `cpu`. */
  cacheDir: string;
  /** See DeviceStart. */
  patienceMs?: number | undefined;
  /** Graphs written and compiled, then opened. */
  onProgress?: ((stage: 'compile' | 'load', done: number, total: number) => void) | undefined;
  signal?: AbortSignal | undefined;
}

/**
 * One host for all `parts`. Throws AppError as prepareDeviceGraphs does, 'cancelled', and DeviceFault where the device does
 * not take the graphs.
 */
export async function openParts(request: OpenPartsRequest): Promise<PlacedLinear> {
  const { native, shape, chunk, device, open, parts, patienceMs, onProgress, signal } = request;
  const { blocks, config, cpuTokens } = await graphsOf(request);
  const kinds: BlockKind[] = parts.map((part) => (part === 'decode' ? 'decode' : 'prefill'));
  const host = await DeviceHost.start({
    native,
    shape,
    chunk,
    graphs: kinds.flatMap((kind) => blocks.map((paths, block) => ({ block, kind, path: paths[kind] }))),
    session: { devices: [open.index], epOptions: open.epOptions, threads: 1, config },
    patienceMs,
    onProgress: (done, total) => onProgress?.('load', done, total),
    signal,
  });
  return { device: device.id, host, minRows: 1, cpuTokens };
}

interface Graphs {
  blocks: Record<BlockKind, string>[];
  config: Record<string, string>;
  cpuTokens: number;
}

async function graphsOf(request: OpenPartsRequest): Promise<Graphs> {
  const { native, bundle, device, open, flavour, chunk, cacheDir, onProgress, signal } = request;
  if (flavour === 'cpu') {
    const blocks = bundle.blockPaths.map((path) => ({ prefill: path, decode: path }));
    return { blocks, config: { ...bundle.sessionConfig }, cpuTokens: 0 };
  }
  const { blocks, cpuTokens, sessionConfig } = await prepareDeviceGraphs({
    native,
    bundle,
    device,
    open,
    flavour,
    chunk,
    cacheDir,
    onProgress: (done, total) => onProgress?.('compile', done, total),
    ...(signal ? { signal } : {}),
  });
  // What an answer says of its device is to be true: no piece of a graph may run elsewhere.
  const config: Record<string, string> =
    device.executionProvider === 'CPUExecutionProvider' ? {} : { 'session.disable_cpu_ep_fallback': '1' };
  Object.assign(config, sessionConfig);
  return { blocks, config, cpuTokens };
}
