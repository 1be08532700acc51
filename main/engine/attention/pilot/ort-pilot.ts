/** Pilot scores from a device that ONNX Runtime knows: one session per graph, opened when first needed. */
import type { NativeAddon, Session } from '../../../../native/js/index.ts';
import type { OpenDevice } from '../../device/registry.ts';
import { type Launch, type PilotBackend, scoreRange } from './backend.ts';
import { pilotGraphFile } from './graph-files.ts';
import type { PilotMemory } from './pilot-memory.ts';

export class OrtPilot implements PilotBackend {
  private readonly native: NativeAddon;
  private readonly memory: PilotMemory;
  private readonly folder: string;
  private readonly device: OpenDevice;
  private readonly sessions = new Map<string, Session>();
  private q: Uint8Array = new Uint8Array(0);
  private k: Uint8Array = new Uint8Array(0);

  /** @param folder where graphs are kept @param device how graphs open on it */
  constructor(native: NativeAddon, memory: PilotMemory, folder: string, device: OpenDevice) {
    this.native = native;
    this.memory = memory;
    this.folder = folder;
    this.device = device;
  }

  load(launch: Launch): void {
    const { heads, layer, keys, paddedKeys } = launch;
    const { memory } = this;
    const { shape, chunkSize, capacity } = memory;
    const { headDim } = shape;
    const group = shape.nHead / shape.nHeadKv;
    this.q = atLeast(this.q, heads.length * chunkSize * headDim);
    this.k = atLeast(this.k, heads.length * headDim * paddedKeys);
    heads.forEach((head, i) => {
      this.q.set(memory.queryCodes(head), i * chunkSize * headDim);
      const rows = memory.transposedKeys(layer, Math.floor(head / group));
      for (let d = 0; d < headDim; d++) {
        this.k.set(rows.subarray(d * capacity, d * capacity + keys), (i * headDim + d) * paddedKeys);
      }
    });
  }

  run(launch: Launch): void {
    const { heads, place, paddedKeys } = launch;
    const { chunkSize, shape } = this.memory;
    const { headDim } = shape;
    const n = heads.length;
    this.session(launch).run(
      [
        { data: this.q.subarray(0, n * chunkSize * headDim), dims: [1, n, chunkSize, headDim] },
        { data: this.k.subarray(0, n * headDim * paddedKeys), dims: [1, n, headDim, paddedKeys] },
      ],
      [{ data: this.memory.scoresAt(place, n, paddedKeys), dims: [1, n, chunkSize, paddedKeys] }],
    );
  }

  close(): void {
    for (const session of this.sessions.values()) session.close();
    this.sessions.clear();
  }

  private session({ heads, paddedKeys, lambdaQ, lambdaK }: Launch): Session {
    const key = `${heads.length} ${paddedKeys} ${lambdaQ} ${lambdaK}`;
    const open = this.sessions.get(key);
    if (open) return open;
    const { headDim } = this.memory.shape;
    const path = pilotGraphFile(this.folder, {
      heads: heads.length,
      rows: this.memory.chunkSize,
      headDim,
      keys: paddedKeys,
      lambdaQ,
      lambdaK,
      range: scoreRange(headDim),
    });
    const session = this.native.openSession(path, {
      devices: [this.device.index],
      epOptions: this.device.epOptions,
      threads: 1,
    });
    this.sessions.set(key, session);
    return session;
  }
}

/** Grows scratch by half as much again, so that a growing context does not allocate on every chunk. */
function atLeast(array: Uint8Array, length: number): Uint8Array {
  return array.length >= length ? array : new Uint8Array(Math.ceil(length * 1.5));
}
