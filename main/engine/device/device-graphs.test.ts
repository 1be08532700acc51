/** Device graphs of a tiny model on the CPU's execution provider, against float64 loops over the model's tensors. */
import { existsSync, mkdirSync, readdirSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import type { NativeAddon } from '../../../native/js/index.ts';
import { loadNative } from '../../../native/js/load.ts';
import { Engine } from '../engine.ts';
import { LINEAR_FLAVOURS, type LinearFlavour } from '../graph/device-flavours.ts';
import type { Bundle } from '../model/bundle.ts';
import { type LayerSource, type Matrix, openModelSource } from '../model/import-source.ts';
import { readModelFile } from '../model/model-file.ts';
import { refusal } from '../testdata/refusal.ts';
import { tempDir } from '../testdata/temp-dir.ts';
import { writeTinyLlama } from '../testdata/tiny-llama.ts';
import { type DeviceGraphs, prepareDeviceGraphs } from './device-graphs.ts';

const ROWS = 8;
/** Greatest error that rounding may make, as a share of the greatest value. */
const TOLERANCE: Record<LinearFlavour, number> = {
  w8a16: 0.015,
  w4a16: 0.25,
  w8a8: 0.08,
  'w8a8-rows': 0.03,
  fp16: 0.002,
};

const dir = tempDir();
const cacheDir = join(dir, 'devices');
const gguf = join(dir, 'tiny.gguf');
let native: NativeAddon;
let bundle: Bundle;

beforeAll(async () => {
  native = loadNative();
  writeTinyLlama(gguf, { layers: 2, seed: 11 });
  const engine = new Engine({ modelsDir: dir, bundlesDir: join(dir, 'bundles') });
  bundle = await engine.import({ model: gguf, weights: 'exact' });
  await engine.close();
});

function prepare(flavour: LinearFlavour, more: { signal?: AbortSignal } = {}): Promise<DeviceGraphs> {
  const device = { id: 'CPUExecutionProvider:CPU:0', name: 'CPU', executionProvider: 'CPUExecutionProvider' };
  return prepareDeviceGraphs({
    native,
    bundle,
    device,
    open: { index: 0, epOptions: {} },
    flavour,
    chunk: ROWS,
    cacheDir,
    ...more,
  });
}

describe.each(LINEAR_FLAVOURS)('%s', (flavour) => {
  test.each<[string, 'prefill' | 'decode', number]>([
    ['a chunk', 'prefill', ROWS],
    ['one token', 'decode', 1],
  ])('the block between two layers, %s', async (_, kind, rows) => {
    const { blocks, sessionConfig, compiled } = await prepare(flavour);
    expect(blocks).toHaveLength(3);
    expect(compiled).toBe(false);
    const { nEmbd, nHead, nHeadKv, headDim } = bundle.manifest.config;
    const att = wave(rows * nHead * headDim, 0.2);
    const x = wave(rows * nEmbd, 0.4);
    const y = new Float32Array(rows * nEmbd);
    const qkv = new Float32Array(rows * (nHead + 2 * nHeadKv) * headDim);
    const session = native.openSession(blocks[1]?.[kind] ?? '', { config: { ...sessionConfig } });
    session.run([tensor(att, rows), tensor(x, rows)], [tensor(y, rows), tensor(qkv, rows)]);
    session.close();
    const wanted = await reference(att, x, rows);
    expect(relativeError(y, wanted.y)).toBeLessThan(TOLERANCE[flavour]);
    expect(relativeError(qkv, wanted.qkv)).toBeLessThan(TOLERANCE[flavour]);
  });

  test('the first and the last block open with the inputs and outputs of the bundle', async () => {
    const { blocks } = await prepare(flavour);
    for (const [i, { prefill }] of blocks.entries()) {
      const [own, device] = [bundle.blockPaths[i] ?? '', prefill].map((path) => native.openSession(path));
      expect(device?.inputNames).toEqual(own?.inputNames);
      expect(device?.outputNames).toEqual(own?.outputNames);
      expect(device?.describe().every(({ type, dims }) => type === 'float32' && dims[0] === ROWS)).toBe(true);
      own?.close();
      device?.close();
    }
  });
});

test('what is whole is used again; weights that were cut short are written anew', async () => {
  const { blocks } = await prepare('w8a16');
  const folder = join(blocks[0]?.prefill ?? '', '..');
  const weights = join(folder, 'weights-int8.bin');
  const before = statSync(weights);
  await prepare('w8a8');
  expect(statSync(weights).mtimeMs).toBe(before.mtimeMs);
  truncateSync(weights, 1000);
  await prepare('w8a16');
  expect(statSync(weights).size).toBe(before.size);
  expect(readdirSync(folder).filter((name) => name.includes('tmp') || name.startsWith('probes'))).toEqual([]);
});

test('a stop leaves nothing half written, and what an earlier import left is removed', async () => {
  const old = join(cacheDir, `${bundle.manifest.id}-exact-0123456789abcdef`);
  const others = join(cacheDir, 'other-exact-0123456789abcdef');
  for (const folder of [old, others]) mkdirSync(folder, { recursive: true });
  writeFileSync(join(old, 'weights-int8.bin'), 'old');
  await prepare('fp16');
  expect([existsSync(old), existsSync(others)]).toEqual([false, true]);

  const folder = readdirSync(cacheDir).find((name) => name.startsWith(`${bundle.manifest.id}-exact-`)) ?? '';
  truncateSync(join(cacheDir, folder, 'weights-float16.bin'), 0);
  const stop = new AbortController();
  stop.abort();
  expect((await refusal(() => prepare('fp16', { signal: stop.signal }))).kind).toBe('cancelled');
  expect(readdirSync(join(cacheDir, folder)).filter((name) => name.endsWith('.tmp'))).toEqual([]);
  expect((await prepare('fp16')).blocks).toHaveLength(3);
});

/** Values that differ from row to row and channel to channel, of about the size that the calibration text gave. */
function wave(length: number, size: number): Float32Array {
  return Float32Array.from({ length }, (_, i) => size * Math.sin(1.7 * i + 0.3 * Math.cos(0.11 * i * i)));
}

function tensor(data: Float32Array, rows: number) {
  return { data, dims: [rows, data.length / rows] };
}

function relativeError(actual: Float32Array, wanted: readonly number[]): number {
  const most = wanted.reduce((a, b) => Math.max(a, Math.abs(b)), 0);
  return actual.reduce((worst, value, i) => Math.max(worst, Math.abs(value - (wanted[i] ?? Number.NaN))), 0) / most;
}

/** Block 1 in float64: the end of layer 0 and the projections of layer 1. */
async function reference(att: Float32Array, x: Float32Array, rows: number): Promise<{ y: number[]; qkv: number[] }> {
  const source = await openModelSource(await readModelFile(gguf));
  const { rmsEps } = source.config;
  const [before, after] = source.layers as [LayerSource, LayerSource];
  const all = async (matrix: Matrix) => ({ cols: matrix.cols, values: await matrix.floatRows(0, matrix.rows) });
  const out = await all(before.out);
  const [ffnNorm, gate, up, down] = [
    await all(before.ffnNorm),
    await all(before.gate),
    await all(before.up),
    await all(before.down),
  ];
  const norm = await all(after.attnNorm);
  const projections = [await all(after.query), await all(after.key), await all(after.value)];
  await source.close();
  const y: number[] = [];
  const qkv: number[] = [];
  for (let r = 0; r < rows; r++) {
    const row = (data: Float32Array) => [...data.subarray((r * data.length) / rows, ((r + 1) * data.length) / rows)];
    const x1 = add(row(x), multiply(out, row(att)));
    const h = rms(x1, ffnNorm.values, rmsEps);
    const raised = multiply(up, h);
    const act = multiply(gate, h).map((g, i) => (g / (1 + Math.exp(-g))) * (raised[i] ?? 0));
    const end = add(x1, multiply(down, act));
    y.push(...end);
    const next = rms(end, norm.values, rmsEps);
    qkv.push(...projections.flatMap((w) => multiply(w, next)));
  }
  return { y, qkv };
}

function multiply({ cols, values }: { cols: number; values: Float32Array }, x: readonly number[]): number[] {
  return Array.from({ length: values.length / cols }, (_, r) =>
    x.reduce((sum, value, c) => sum + value * (values[r * cols + c] ?? 0), 0),
  );
}

function rms(x: readonly number[], weight: Float32Array, eps: number): number[] {
  const root = Math.sqrt(x.reduce((sum, value) => sum + value * value, 0) / x.length + eps);
  return x.map((value, i) => (value / root) * (weight[i] ?? 0));
}

function add(a: readonly number[], b: readonly number[]): number[] {
  return a.map((value, i) => value + (b[i] ?? 0));
}
