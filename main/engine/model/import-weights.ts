/** The weights file of a bundle being written: regions are laid out first, so that its size is known, then filled. */
import { type FileHandle, open } from 'node:fs/promises';
import type { LayerWeights } from '../graph/blocks.ts';
import type { Linear } from '../graph/linear.ts';
import type { Region } from '../graph/onnx.ts';
import type { EmbeddingLayout } from './manifest.ts';

export const WEIGHTS_FILE = 'weights.bin';

/** Regions start at multiples of this, so that ORT can map them and read them with vector loads. */
const ALIGNMENT = 64;

/** Hands out regions of one file, one after the other. */
export class RegionAllocator {
  #end = 0;

  /** Size of the file so far, in bytes. */
  get bytes(): number {
    return this.#end;
  }

  allocate(bytes: number): Region {
    const offset = Math.ceil(this.#end / ALIGNMENT) * ALIGNMENT;
    this.#end = offset + bytes;
    return { file: WEIGHTS_FILE, offset, bytes };
  }
}

/** Called between pieces of work with the bytes just written: reports progress, lets other work run, throws on cancel. */
export type Step = (bytes: number) => Promise<void>;

/** A piece of the import: fills regions with the data of one or several tensors. `bytes` is what it will write. */
export interface WriteJob {
  bytes: number;
  run(out: WeightWriter, step: Step): Promise<void>;
}

/** Fills regions of a file. One at a time; order is free. */
export class WeightWriter {
  readonly #handle: FileHandle;

  private constructor(handle: FileHandle) {
    this.#handle = handle;
  }

  /** Creates the file at `path` with its final size; what is never written reads as zeros. */
  static async create(path: string, bytes: number): Promise<WeightWriter> {
    const handle = await open(path, 'wx');
    try {
      await handle.truncate(bytes);
    } catch (error) {
      await handle.close();
      throw error;
    }
    return new WeightWriter(handle);
  }

  /** Writes `data` at byte `at` of the region. */
  async write(region: Region, at: number, data: Float32Array | Uint8Array | Int8Array): Promise<void> {
    if (at + data.byteLength > region.bytes) throw new RangeError('write beyond the end of a region');
    const bytes = new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
    let done = 0;
    while (done < bytes.length) {
      const { bytesWritten } = await this.#handle.write(bytes, done, bytes.length - done, region.offset + at + done);
      done += bytesWritten;
    }
  }

  /** Flushes to the disk. */
  async sync(): Promise<void> {
    await this.#handle.sync();
  }

  async close(): Promise<void> {
    await this.#handle.close();
  }
}

/** A bundle's weights before they are written: where everything will lie, and the jobs that write it. */
export interface WeightPlan {
  layers: LayerWeights[];
  outputNorm: Region;
  head: Linear;
  embedding: EmbeddingLayout;
  /** Size of the weights file. */
  bytes: number;
  jobs: WriteJob[];
}
