/** The models of a machine: listing beside broken files, ids, import on first use, removal. */
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { writeTinyLlama } from '../testdata/gguf-writer.ts';
import { calibrateAlone } from '../testdata/import-harness.ts';
import { ModelLibrary, slug } from './library.ts';

const root = mkdtempSync(join(tmpdir(), 'library-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const options = { calibrate: calibrateAlone };
const never = { calibrate: () => Promise.reject(new Error('imported again')) };
let modelsDir: string;
let bundlesDir: string;
let library: ModelLibrary;
let tests = 0;
beforeEach(() => {
  modelsDir = join(root, `${++tests}`, 'models');
  bundlesDir = join(root, `${tests}`, 'bundles');
  mkdirSync(modelsDir, { recursive: true });
  library = new ModelLibrary({ modelsDir, bundlesDir });
});

/** A header and one key that says the alignment is 0. */
function zeroAlignment(): Buffer {
  const key = Buffer.from('general.alignment');
  const head = Buffer.alloc(24);
  head.write('GGUF');
  head.writeUInt32LE(3, 4);
  head.writeBigUInt64LE(1n, 16);
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(key.length));
  return Buffer.concat([head, length, key, Buffer.from([4, 0, 0, 0, 0, 0, 0, 0]), Buffer.alloc(32)]);
}

describe('list', () => {
  it('is empty where there are no folders', async () => {
    const nowhere = new ModelLibrary({ modelsDir: join(root, 'none'), bundlesDir: join(root, 'none') });
    expect(await nowhere.list()).toEqual([]);
  });

  it('shows broken files with their reason beside the good ones', async () => {
    writeTinyLlama(join(modelsDir, 'Good.gguf'));
    writeTinyLlama(join(modelsDir, 'cut.gguf'));
    truncateSync(join(modelsDir, 'cut.gguf'), 5000);
    writeFileSync(join(modelsDir, 'bad.gguf'), zeroAlignment());
    writeFileSync(join(modelsDir, 'empty.gguf'), '');
    mkdirSync(join(modelsDir, 'folder.gguf'));
    writeFileSync(join(modelsDir, 'notes.txt'), 'no model');
    mkdirSync(join(bundlesDir, '.import-1-ab'), { recursive: true });
    const models = await library.list();
    expect(models.map(({ id }) => id).sort()).toEqual(['bad', 'cut', 'empty', 'folder', 'good']);
    expect(models.find(({ id }) => id === 'bad')?.problem?.message).toMatch(/general\.alignment/);
    for (const { id, problem } of models) expect(problem === undefined).toBe(id === 'good');
    expect(models.find(({ id }) => id === 'good')).toMatchObject({
      name: 'Good',
      architecture: 'llama',
      weights: [],
      contextTrained: 512,
      sourcePath: join(modelsDir, 'Good.gguf'),
    });
  });

  it('shows an imported model once, with its file and flavours', async () => {
    writeTinyLlama(join(modelsDir, 'tiny.gguf'));
    (await library.ensure('tiny', 'exact', options)).close();
    (await library.ensure('tiny', 'fast', options)).close();
    const [model, ...others] = await library.list();
    expect(others).toEqual([]);
    expect(model).toMatchObject({ id: 'tiny', weights: ['exact', 'fast'], sourcePath: join(modelsDir, 'tiny.gguf') });
    expect(model?.problem).toBeUndefined();
  });

  it('shows a damaged bundle with its reason', async () => {
    writeTinyLlama(join(root, 'elsewhere.gguf'));
    const bundle = await library.ensure(join(root, 'elsewhere.gguf'), 'exact', options);
    bundle.close();
    truncateSync(bundle.headPath, 3);
    const [model] = await library.list();
    expect(model).toMatchObject({ id: 'elsewhere', weights: [], problem: { kind: 'model-invalid' } });
    expect(model?.problem?.message).toMatch(/head\.onnx.*3 bytes/);
    await expect(library.ensure('elsewhere', 'exact', options)).rejects.toMatchObject({ kind: 'model-invalid' });
    (await library.ensure(join(root, 'elsewhere.gguf'), 'exact', options)).close();
    expect((await library.list())[0]?.problem).toBeUndefined();
  });
});

describe('ensure', () => {
  it('imports a damaged model anew from its file in the models folder', async () => {
    writeTinyLlama(join(modelsDir, 'tiny.gguf'));
    for (const file of ['weights.bin', 'manifest.json']) {
      const bundle = await library.ensure('tiny', 'exact', options);
      bundle.close();
      truncateSync(join(bundle.dir, file), 3);
      expect(await library.list()).toMatchObject([{ id: 'tiny', weights: [] }]);
      (await library.ensure('tiny', 'exact', options)).close();
      expect(await library.list()).toMatchObject([{ id: 'tiny', weights: ['exact'] }]);
    }
  });

  it('imports a path on first use only, also under another name', async () => {
    const path = join(root, 'My Model (v2).gguf');
    writeTinyLlama(path);
    const first = await library.ensure(path, 'exact', options);
    first.close();
    expect(first.manifest.id).toBe('my-model-v2');
    cpSync(path, join(root, 'copy.gguf'));
    for (const reference of [path, join(root, 'copy.gguf'), 'my-model-v2']) {
      const again = await library.ensure(reference, 'exact', never);
      again.close();
      expect(again.dir).toBe(first.dir);
    }
  });

  it('another model of the same name gets an id of its own, the same each time', async () => {
    for (const [folder, seed] of [
      ['a', 1],
      ['b', 2],
    ] as const) {
      mkdirSync(join(root, folder), { recursive: true });
      writeTinyLlama(join(root, folder, 'same.gguf'), { seed });
    }
    const a = await library.ensure(join(root, 'a', 'same.gguf'), 'exact', options);
    const b = await library.ensure(join(root, 'b', 'same.gguf'), 'exact', options);
    expect(a.manifest.id).toBe('same');
    expect(b.manifest.id).toMatch(/^same-[0-9a-f]{8}$/);
    const again = await library.ensure(join(root, 'b', 'same.gguf'), 'fast', options);
    expect(again.manifest.id).toBe(b.manifest.id);
    for (const bundle of [a, b, again]) bundle.close();
  });

  it('two files of one slug in the models folder are told apart', async () => {
    writeTinyLlama(join(modelsDir, 'a b.gguf'), { seed: 1 });
    writeTinyLlama(join(modelsDir, 'a-b.gguf'), { seed: 2 });
    const models = await library.list();
    expect(new Set(models.map(({ id }) => id)).size).toBe(2);
    const hashes: string[] = [];
    for (const { id } of models) {
      const bundle = await library.ensure(id, 'exact', options);
      bundle.close();
      expect(bundle.manifest.id).toBe(id);
      hashes.push(bundle.manifest.source.sha256);
    }
    expect(new Set(hashes).size).toBe(2);
  });

  it('says what is missing', async () => {
    await expect(library.ensure('nothing', 'exact', options)).rejects.toMatchObject({ kind: 'model-missing' });
    await expect(library.ensure(join(root, 'none.gguf'), 'exact', options)).rejects.toMatchObject({
      kind: 'model-missing',
    });
    const path = join(root, 'gone.gguf');
    writeTinyLlama(path, { seed: 5 });
    (await library.ensure(path, 'exact', options)).close();
    rmSync(path);
    await expect(library.ensure('gone', 'fast', options)).rejects.toThrow(/gone\.gguf/);
    (await library.ensure('gone', 'exact', never)).close();
  });
});

it('removes a model with its bundles and its file, and nothing else', async () => {
  writeTinyLlama(join(modelsDir, 'a.gguf'), { seed: 1 });
  writeTinyLlama(join(modelsDir, 'b.gguf'), { seed: 2 });
  for (const id of ['a', 'b']) (await library.ensure(id, 'exact', options)).close();
  await library.remove('a');
  expect((await library.list()).map(({ id }) => id)).toEqual(['b']);
  expect(existsSync(join(modelsDir, 'a.gguf'))).toBe(false);
  expect(readdirSync(bundlesDir)).toEqual(['b']);
  for (const id of ['a', '..', '.', '']) {
    await expect(library.remove(id)).rejects.toMatchObject({ kind: 'model-missing' });
  }
});

it('a slug is a plain folder name', () => {
  expect(slug('SmolLM2-135M-Instruct.Q4_1')).toBe('smollm2-135m-instruct.q4_1');
  expect(slug('模型')).toBe('model');
  expect(slug('../..')).toBe('model');
});
