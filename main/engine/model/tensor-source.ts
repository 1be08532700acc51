/**
 * Rows of one tensor, read from the file as they are asked for: memory is what the asked rows take, never the tensor.
 * Reads are asynchronous; unpacking runs on the caller's thread.
 */
import type { FileHandle } from 'node:fs/promises';
import { phrase } from '../../../contract/phrase.ts';
import { dequantize, type TensorBlocks, toBlocks } from './dequant.ts';
import { UNPACKERS } from './dequant-unpack.ts';
import { invalidModel, quote } from './gguf-errors.ts';
import type { GgufTensor } from './gguf-types.ts';

export type { TensorBlocks } from './dequant.ts';

/** One tensor of an open model file, of a type that readConfig has let pass. The handle is the caller's to close. */
export class TensorReader {
  readonly tensor: GgufTensor;
  /** Values per row (shape[0]). */
  readonly cols: number;
  /** All other extents multiplied; a vector is one row. */
  readonly rows: number;
  readonly #handle: FileHandle;
  readonly #path: string;

  constructor(path: string, tensor: GgufTensor, handle: FileHandle) {
    const [cols = 1, ...others] = tensor.shape;
    this.tensor = tensor;
    this.cols = cols;
    this.rows = others.reduce((product, extent) => product * extent, 1);
    this.#handle = handle;
    this.#path = path;
  }

  /** Rows `first` to `first + count - 1` as float32 [count, cols]. Throws AppError 'model-invalid' on NaN or infinity. */
  async dequantizeRows(first: number, count: number): Promise<Float32Array> {
    const values = dequantize(this.tensor.type, await this.#read(first, count), count * this.cols);
    this.#requireFinite(values, this.cols, first);
    return values;
  }

  /** The same rows in 8-bit blocks; null for F32, F16 and BF16. Throws AppError 'model-invalid' on NaN or infinity. */
  async toBlocks(first: number, count: number): Promise<TensorBlocks | null> {
    if (!UNPACKERS.has(this.tensor.type)) return null;
    const blocks = toBlocks(this.tensor.type, await this.#read(first, count), count * this.cols);
    if (blocks === null) return null;
    this.#requireFinite(blocks.scale, this.cols / blocks.blockSize, first);
    if (blocks.add !== null) this.#requireFinite(blocks.add, this.cols / blocks.blockSize, first);
    return blocks;
  }

  async #read(first: number, count: number): Promise<Buffer> {
    if (!Number.isInteger(first) || !Number.isInteger(count) || first < 0 || count < 0 || first + count > this.rows) {
      throw new RangeError(`rows ${first} to ${first + count} of ${this.rows} asked of ${this.tensor.name}`);
    }
    const rowBytes = this.tensor.bytes / this.rows;
    const data = Buffer.allocUnsafe(count * rowBytes);
    const start = this.tensor.offset + first * rowBytes;
    let filled = 0;
    while (filled < data.length) {
      const { bytesRead } = await this.#handle.read(data, filled, data.length - filled, start + filled);
      if (bytesRead === 0) {
        throw invalidModel(
          this.#path,
          phrase`the file became shorter while tensor ${quote(this.tensor.name)} was read: byte ${start + filled} is gone`,
        );
      }
      filled += bytesRead;
    }
    return data;
  }

  #requireFinite(values: Float32Array, perRow: number, first: number): void {
    for (let i = 0; i < values.length; i++) {
      const value = values[i] as number;
      // NaN and both infinities, and nothing else, give NaN here.
      if (value - value === 0) continue;
      throw invalidModel(
        this.#path,
        phrase`tensor ${quote(this.tensor.name)} holds ${value} in row ${first + Math.floor(i / perRow)}; the file is damaged`,
      );
    }
  }
}
