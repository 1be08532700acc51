/** What opening a bundle refuses, with the reason. */
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { writeTinyLlama } from '../testdata/gguf-writer.ts';
import { calibrateAlone } from '../testdata/import-harness.ts';
import { openBundle } from './bundle.ts';
import { importModel } from './import.ts';

const root = mkdtempSync(join(tmpdir(), 'bundle-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

let whole: string;
beforeAll(async () => {
  writeTinyLlama(join(root, 'tiny.gguf'), { types: 'Q8_0' });
  whole = await importModel(join(root, 'tiny.gguf'), {
    bundlesDir: join(root, 'bundles'),
    id: 'tiny',
    weights: 'exact',
    calibrate: calibrateAlone,
  });
});

function damaged(change: (manifest: Record<string, unknown>) => void): string {
  const dir = mkdtempSync(join(root, 'damaged-'));
  cpSync(whole, dir, { recursive: true });
  const path = join(dir, 'manifest.json');
  const manifest = JSON.parse(readFileSync(path, 'utf8')) as Record<string, unknown>;
  change(manifest);
  writeFileSync(path, JSON.stringify(manifest));
  return dir;
}

it('opens a whole bundle', () => {
  const bundle = openBundle(whole);
  expect(bundle.blockPaths.length).toBe(bundle.manifest.config.nLayer + 1);
  expect(bundle.tokenizerSource().tokens.length).toBe(bundle.manifest.config.nTokens);
  bundle.close();
  expect(() => bundle.readEmbeddingRows([1])).toThrow(/closed/);
});

it.each([
  [
    'another version',
    (m: Record<string, unknown>) => {
      m.formatVersion = 99;
    },
    /format version 99/,
  ],
  [
    'no version',
    (m: Record<string, unknown>) => {
      delete m.formatVersion;
    },
    /format version undefined/,
  ],
  [
    'a field of another type',
    (m: Record<string, unknown>) => {
      m.config = { ...(m.config as object), nLayer: 'two' };
    },
    /config\.nLayer/,
  ],
  [
    'a missing field',
    (m: Record<string, unknown>) => {
      delete m.embedding;
    },
    /embedding/,
  ],
  [
    'a path that leads out of the folder',
    (m: Record<string, unknown>) => {
      m.graphs = { blocks: ['a.onnx', 'b.onnx'], head: '../head.onnx' };
    },
    /graphs\.head/,
  ],
  [
    'a file that is not there',
    (m: Record<string, unknown>) => {
      m.files = [{ name: 'lost.bin', bytes: 1 }];
    },
    /lost\.bin: the file is gone/,
  ],
] as const)('refuses %s', (_, change, reason) => {
  const dir = damaged(change);
  expect(() => openBundle(dir)).toThrow(reason);
  expect(() => openBundle(dir)).toThrow(
    expect.objectContaining({ kind: 'model-invalid', action: 'Import the model again.' }),
  );
});

it('refuses a manifest that is no JSON, and a folder without one', () => {
  const dir = damaged(() => {});
  writeFileSync(join(dir, 'manifest.json'), '{');
  expect(() => openBundle(dir)).toThrow(/not JSON/);
  rmSync(join(dir, 'manifest.json'));
  expect(() => openBundle(dir)).toThrow(expect.objectContaining({ kind: 'model-missing' }));
});

it('says where an embedding ends too early', () => {
  const dir = damaged((m) => {
    m.embedding = { ...(m.embedding as object), qOffset: 1e9 };
  });
  const bundle = openBundle(dir);
  expect(() => bundle.readEmbeddingRows([1])).toThrow(/ends before byte/);
  bundle.close();
});
