/**
 * The linear parts of a model as graphs that a device takes: written from the bundle's weights, compiled where the execution
 * provider keeps compiled graphs, and kept in a cache folder.
 */
import type { DeviceInfo } from '../../../contract/engine.ts';
import type { NativeAddon } from '../../../native/js/index.ts';
import type { LinearFlavour } from '../graph/device-flavours.ts';
import type { Bundle } from '../model/bundle.ts';
import type { OpenDevice } from './registry.ts';

export interface DeviceGraphRequest {
  native: NativeAddon;
  bundle: Bundle;
  device: Pick<DeviceInfo, 'id' | 'executionProvider' | 'epVersion' | 'driver'>;
  /** DeviceRegistry.open of the device. */
  open: OpenDevice;
  flavour: LinearFlavour;
  /** Rows of a prefill graph. */
  chunk: number;
  /** Folder of all device graphs; made if needed. */
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
  /** Whether they hold compiled code of the device; else it compiles them whenever they are opened. */
  compiled: boolean;
  /** How many tokens at the very beginning of a prompt must run on the CPU's blocks: quantised ranges leave them out. */
  cpuTokens: number;
}

/**
 * Makes what is not in the cache. Throws AppError 'cancelled', 'disk-full', 'storage-failed', 'device-unusable' with what the
 * compiler says, 'model-invalid' where the bundle cannot be read.
 */
export async function prepareDeviceGraphs(_request: DeviceGraphRequest): Promise<DeviceGraphs> {
  throw new Error('not yet');
}
