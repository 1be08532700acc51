/** Weights of a model in the form that a device flavour stores them: one file, and where each projection lies in it. */
import { createHash } from 'node:crypto';
import { type FileHandle, open } from 'node:fs/promises';
import type { DeviceLayer, DeviceProjection } from '../graph/device-block.ts';
import type { WeightKind } from '../graph/device-flavours.ts';
import { packInt4, roundPerChannel, type Scaled, toHalfTransposed } from '../graph/device-rounding.ts';
import type { Region } from '../graph/onnx.ts';
import { raiseColumnMaxima } from '../model/import-row-int8.ts';
import { smoothingFactors } from '../model/smooth.ts';
import type { LayerRanges } from './activation-ranges.ts';
import type { BundleWeights, LayerValues, Matrix } from './bundle-weights.ts';

/** Regions start at multiples of this, so that they can be mapped into memory. */
const ALIGNMENT = 64;

/**
 * How much of the range of activations moves into the weights (smooth.ts). 8 bit weights meet 8 bit activations. Where weights
 * have 4 bits, activations have 16: they can take all of the weights' unevenness. Half precision needs neither.
 */
const ALPHA: Record<WeightKind, number | null> = { int8: 0.5, int4: 0, float16: null };

export interface WrittenWeights {
  layers: DeviceLayer[];
  bytes: number;
  /** Of the file, lower-case hex. */
  sha256: string;
}

/**
 * Writes the weights of all layers to the new file `path`, a layer at a time. `file` is its name for the graphs' references.
 * `step` is told of every finished layer and may throw to stop; the file is then incomplete.
 */
export async function writeDeviceWeights(
  path: string,
  file: string,
  source: { weights: BundleWeights; ranges: readonly LayerRanges[]; kind: WeightKind },
  step: (layer: number) => Promise<void>,
): Promise<WrittenWeights> {
  const writer = new Writer(await open(path, 'wx'), file);
  try {
    const layers: DeviceLayer[] = [];
    for (const [i, ranges] of source.ranges.entries()) {
      layers.push(await writeLayer(writer, await source.weights.layer(i), ranges, source.kind));
      await step(i);
    }
    return { layers, ...(await writer.finish()) };
  } finally {
    await writer.close();
  }
}

async function writeLayer(
  out: Writer,
  layer: LayerValues,
  ranges: LayerRanges,
  kind: WeightKind,
): Promise<DeviceLayer> {
  const { query, key, value, gate, up, down } = layer;
  const intoQkv = factors(kind, ranges.qkv, [query, key, value]);
  const intoGateUp = factors(kind, ranges.gateUp, [gate, up]);
  // What enters the down projection is a product with up's output, which can be divided channel by channel. Attention's
  // output cannot: the values lie in the cache, where the processor reads them, too.
  const intoDown = factors(kind, ranges.act, [down]);
  const project = (w: Matrix, range: Float32Array, by: { columnFactor?: Float32Array; rowDivisor?: Float32Array }) =>
    writeProjection(out, { ...w, ...by }, kind, largest(divided(range, by.rowDivisor)));
  const column = (columnFactor: Float32Array | undefined) => (columnFactor === undefined ? {} : { columnFactor });
  return {
    attnNorm: await out.write(divided(layer.attnNorm, intoQkv)),
    ffnNorm: await out.write(divided(layer.ffnNorm, intoGateUp)),
    query: await project(query, ranges.query, column(intoQkv)),
    key: await project(key, ranges.key, column(intoQkv)),
    value: await project(value, ranges.value, column(intoQkv)),
    qkvBias: layer.qkvBias && (await out.write(layer.qkvBias)),
    headNorm: layer.headNorm && {
      query: await out.write(layer.headNorm.query),
      key: await out.write(layer.headNorm.key),
    },
    postNorm: layer.postNorm && {
      attention: await out.write(layer.postNorm.attention),
      ffn: await out.write(layer.postNorm.ffn),
    },
    out: await project(layer.out, ranges.out, {}),
    gate: await project(gate, ranges.gate, column(intoGateUp)),
    up: await project(up, ranges.up, {
      ...column(intoGateUp),
      ...(intoDown === undefined ? {} : { rowDivisor: intoDown }),
    }),
    down: await project(down, ranges.down, column(intoDown)),
    ranges: {
      attnNorm: largest(ranges.attnNorm),
      ffnNorm: largest(ranges.ffnNorm),
      qkv: largest(divided(ranges.qkv, intoQkv)),
      attention: largest(ranges.attention),
      gateUp: largest(divided(ranges.gateUp, intoGateUp)),
      act: largest(divided(ranges.act, intoDown)),
    },
  };
}

async function writeProjection(out: Writer, w: Scaled, kind: WeightKind, range: number): Promise<DeviceProjection> {
  const { rows, cols } = w;
  if (kind === 'float16') return { rows, cols, range, weight: await out.write(toHalfTransposed(w)), scale: null };
  const { q, scale } = roundPerChannel(w, kind === 'int4' ? 7 : 127);
  return {
    rows,
    cols,
    range,
    weight: await out.write(kind === 'int4' ? packInt4(q) : q),
    scale: await out.write(scale),
  };
}

/** Factors by which the channels between two products are divided and then multiplied; undefined for none. */
function factors(kind: WeightKind, activation: Float32Array, matrices: readonly Matrix[]): Float32Array | undefined {
  const alpha = ALPHA[kind];
  if (alpha === null) return undefined;
  const maxima = new Float32Array(activation.length);
  for (const { values } of matrices) raiseColumnMaxima(maxima, values);
  return smoothingFactors(activation, maxima, alpha);
}

function divided(values: Float32Array, by: Float32Array | undefined): Float32Array {
  return by === undefined ? values : values.map((value, i) => value / (by[i] ?? 1));
}

/** The greatest of some maxima; 1 where nothing was ever seen but zeros, since a range must be positive. */
function largest(maxima: Float32Array): number {
  const most = maxima.reduce((a, b) => Math.max(a, b), 0);
  return most > 0 ? most : 1;
}

/** Appends arrays to a file and hashes what it writes. */
class Writer {
  private readonly handle: FileHandle;
  private readonly file: string;
  private readonly hash = createHash('sha256');
  private end = 0;

  constructor(handle: FileHandle, file: string) {
    this.handle = handle;
    this.file = file;
  }

  async write(data: Float32Array | Int8Array | Uint8Array | Uint16Array): Promise<Region> {
    const offset = Math.ceil(this.end / ALIGNMENT) * ALIGNMENT;
    await this.append(new Uint8Array(offset - this.end));
    await this.append(new Uint8Array(data.buffer, data.byteOffset, data.byteLength));
    return { file: this.file, offset, bytes: data.byteLength };
  }

  async finish(): Promise<{ bytes: number; sha256: string }> {
    await this.handle.sync();
    return { bytes: this.end, sha256: this.hash.digest('hex') };
  }

  close(): Promise<void> {
    return this.handle.close();
  }

  private async append(bytes: Uint8Array): Promise<void> {
    for (let done = 0; done < bytes.length; ) {
      done += (await this.handle.write(bytes, done, bytes.length - done)).bytesWritten;
    }
    this.hash.update(bytes);
    this.end += bytes.length;
  }
}
