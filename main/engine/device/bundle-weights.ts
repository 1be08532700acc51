/**
 * The weights of an imported model, read back from its graphs: what graphs for devices are made from. So they are the values
 * that the bundle's own graphs compute with, smoothing included, and its KV cache fits both.
 */
import { type FileHandle, open, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError } from '../../../contract/errors.ts';
import { phrase } from '../../../contract/phrase.ts';
import type { LayerWeights } from '../graph/blocks.ts';
import type { Linear } from '../graph/linear.ts';
import { storedLinear, storedLinears } from '../graph/linear-read.ts';
import type { Region } from '../graph/onnx.ts';
import { externalConstants, type StoredConstant } from '../graph/onnx-read.ts';
import type { Bundle } from '../model/bundle.ts';
import { hasPart, optionalPart } from '../model/config-tensors.ts';

/** float32 [rows, cols] */
export interface Matrix {
  rows: number;
  cols: number;
  values: Float32Array;
}

/** One layer, norms [nEmbd]; the rest as in LayerWeights, apart. */
export interface LayerValues {
  attnNorm: Float32Array;
  query: Matrix;
  key: Matrix;
  value: Matrix;
  /** [(nHead + 2 * nHeadKv) * headDim] */
  qkvBias: Float32Array | null;
  /** [headDim] each */
  headNorm: { query: Float32Array; key: Float32Array } | null;
  /** [nEmbd] each */
  postNorm: { attention: Float32Array; ffn: Float32Array } | null;
  out: Matrix;
  ffnNorm: Float32Array;
  gate: Matrix;
  up: Matrix;
  down: Matrix;
}

export class BundleWeights {
  private readonly bundle: Bundle;
  private readonly files = new Map<string, FileHandle>();

  constructor(bundle: Bundle) {
    this.bundle = bundle;
  }

  /** How and where the bundle stores a layer. Throws AppError 'model-invalid'. */
  async stored(index: number): Promise<LayerWeights> {
    // The end of a layer is in the block that begins with its attention's outputs.
    const before = await this.constants(index + 1);
    const after = await this.constants(index);
    const { config } = this.bundle.manifest;
    return {
      attnNorm: this.norm(after, 'attn_norm'),
      qkv: storedLinears(after, 'qkv'),
      qkvBias: after.get('qkv_bias')?.region ?? null,
      headNorm: hasPart(config, 'headNorm')
        ? optionalPart('headNorm', ({ constant }) => this.norm(after, constant))
        : null,
      postNorm: hasPart(config, 'postNorm')
        ? optionalPart('postNorm', ({ constant }) => this.norm(before, constant))
        : null,
      out: this.required(storedLinear(before, 'out')),
      ffnNorm: this.norm(before, 'ffn_norm'),
      gateUp: storedLinears(before, 'gate_up'),
      down: this.required(storedLinear(before, 'down')),
    };
  }

  /** A layer's weights as floats. Throws AppError 'model-invalid'. */
  async layer(index: number): Promise<LayerValues> {
    const { nHead, nHeadKv, headDim, nFf } = this.bundle.manifest.config;
    const { attnNorm, qkv, qkvBias, headNorm, postNorm, out, ffnNorm, gateUp, down } = await this.stored(index);
    const kv = nHeadKv * headDim;
    const [query, key, value] = split(await this.stacked(qkv), [nHead * headDim, kv, kv]);
    const [gate, up] = split(await this.stacked(gateUp), [nFf, nFf]);
    return {
      attnNorm: asFloats(await this.read(attnNorm)),
      query: this.required(query),
      key: this.required(key),
      value: this.required(value),
      qkvBias: qkvBias && asFloats(await this.read(qkvBias)),
      headNorm: headNorm && {
        query: asFloats(await this.read(headNorm.query)),
        key: asFloats(await this.read(headNorm.key)),
      },
      postNorm: postNorm && {
        attention: asFloats(await this.read(postNorm.attention)),
        ffn: asFloats(await this.read(postNorm.ffn)),
      },
      out: await this.matrix(out),
      ffnNorm: asFloats(await this.read(ffnNorm)),
      gate: this.required(gate),
      up: this.required(up),
      down: await this.matrix(down),
    };
  }

  async close(): Promise<void> {
    await Promise.all([...this.files.values()].map((file) => file.close()));
    this.files.clear();
  }

  private async constants(block: number): Promise<Map<string, StoredConstant>> {
    const path = this.bundle.blockPaths[block];
    if (path === undefined) throw this.unreadable(`block ${block}`);
    try {
      return externalConstants(await readFile(path));
    } catch (cause) {
      throw this.unreadable(path, cause);
    }
  }

  /** Projections below one another. */
  private async stacked(linears: readonly Linear[]): Promise<Matrix> {
    const { cols } = this.required(linears[0]);
    const rows = linears.reduce((sum, w) => sum + w.rows, 0);
    const values = new Float32Array(rows * cols);
    let end = 0;
    for (const w of linears) {
      values.set((await this.matrix(w)).values, end);
      end += w.rows * cols;
    }
    return { rows, cols, values };
  }

  private norm(constants: Map<string, StoredConstant>, name: string): Region {
    return this.required(constants.get(name)).region;
  }

  private required<T>(part: T | undefined): T {
    if (part === undefined) throw this.unreadable('a part of a layer is missing');
    return part;
  }

  private async matrix(w: Linear): Promise<Matrix> {
    const { rows, cols } = w;
    if (w.kind === 'float32') return { rows, cols, values: asFloats(await this.read(w.weight)) };
    const q = await this.read(w.q);
    const scale = asFloats(await this.read(w.scale));
    const values = new Float32Array(rows * cols);
    if (w.kind === 'rowInt8') {
      const signed = new Int8Array(q.buffer, q.byteOffset, q.length);
      for (let c = 0; c < cols; c++) {
        const group = Math.floor((c * w.groups) / cols) * rows;
        for (let r = 0; r < rows; r++) {
          values[r * cols + c] = (signed[c * rows + r] as number) * (scale[group + r] as number);
        }
      }
      return { rows, cols, values };
    }
    const add = w.add === null ? null : asFloats(await this.read(w.add));
    for (let i = 0; i < values.length; i++) {
      const block = Math.floor(i / w.blockSize);
      values[i] = ((q[i] as number) - 128) * (scale[block] as number) + (add === null ? 0 : (add[block] as number));
    }
    return { rows, cols, values };
  }

  private async read({ file, offset, bytes }: Region): Promise<Uint8Array> {
    const path = join(this.bundle.dir, file);
    let handle = this.files.get(file);
    if (handle === undefined) {
      handle = await open(path, 'r');
      this.files.set(file, handle);
    }
    const data = new Uint8Array(bytes);
    for (let done = 0; done < bytes; ) {
      const { bytesRead } = await handle.read(data, done, bytes - done, offset + done);
      if (bytesRead === 0) throw this.unreadable(path);
      done += bytesRead;
    }
    return data;
  }

  private unreadable(what: string, cause?: unknown): AppError {
    return new AppError('model-invalid', phrase`The imported model's weights cannot be read: ${what}.`, {
      action: 'Remove the model and import it again.',
      ...(cause === undefined ? {} : { cause }),
    });
  }
}

/** Consecutive rows of a matrix as matrices of their own; views, nothing is copied. */
function split({ cols, values }: Matrix, counts: readonly number[]): Matrix[] {
  let row = 0;
  return counts.map((rows) => {
    const part = values.subarray(row * cols, (row + rows) * cols);
    row += rows;
    return { rows, cols, values: part };
  });
}

function asFloats(bytes: Uint8Array): Float32Array {
  return new Float32Array(bytes.buffer, bytes.byteOffset, bytes.byteLength / 4);
}
