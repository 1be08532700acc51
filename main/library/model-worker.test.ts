/** Imports and checks in a real engine process of their own. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Progress } from '../../contract/engine.ts';
import { writeTinyLlama } from '../engine/testdata/gguf-writer.ts';
import { writeHfModel } from '../engine/testdata/hf-writer.ts';
import { spawnReal } from '../testing/real-engine.ts';
import { ModelWorker } from './model-worker.ts';

const root = mkdtempSync(join(tmpdir(), 'model-worker-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

let bundlesDir: string;
let pids: number[];
let worker: ModelWorker;
let tests = 0;
beforeEach(() => {
  const home = join(root, `${++tests}`);
  bundlesDir = join(home, 'bundles');
  pids = [];
  const options = { modelsDir: join(home, 'models'), bundlesDir, profilesDir: home, selfTestsDir: home };
  worker = new ModelWorker({ spawn: spawnReal(options, (pid) => pids.push(pid)), log: () => undefined });
});
afterEach(() => worker.stop());

const alive = (pid: number) => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

describe('a job', () => {
  it('imports a file, then checks it, each in a process that ends with it', async () => {
    const path = join(root, 'Tiny.gguf');
    writeTinyLlama(path);
    const told: Progress[] = [];
    const imported = worker.importModel({ model: path, weights: 'exact' }, (progress) => told.push(progress));
    const checked = worker.verifyModel({ model: 'tiny' }, () => undefined);
    expect(await imported.done).toBe('tiny');
    expect(told.some(({ stage }) => stage === 'import')).toBe(true);
    expect(await checked.done).toBe('checksum');
    expect(pids).toHaveLength(2);
    expect(pids.map(alive)).toEqual([false, false]);
  });

  it('says which file of a model has changed on the disk', async () => {
    writeHfModel(join(root, 'Folder'));
    await worker.importModel({ model: join(root, 'Folder'), weights: 'fast' }, () => undefined).done;
    const weights = join(bundlesDir, 'folder', 'fast', 'weights.bin');
    const data = readFileSync(weights);
    data.writeUInt8(data.readUInt8(1000) ^ 1, 1000);
    writeFileSync(weights, data);
    await expect(worker.verifyModel({ model: 'folder' }, () => undefined).done).rejects.toMatchObject({
      kind: 'model-invalid',
      message: expect.stringMatching(/weights\.bin/),
    });
  });

  it('refuses what is no model, and the next one works', async () => {
    const path = join(root, 'broken.gguf');
    writeFileSync(path, '<html>not found</html>');
    await expect(worker.importModel({ model: path, weights: 'fast' }, () => undefined).done).rejects.toMatchObject({
      kind: 'model-invalid',
    });
    await expect(worker.verifyModel({ model: 'nothing' }, () => undefined).done).rejects.toMatchObject({
      kind: 'model-missing',
    });
  });

  it('that is cancelled leaves nothing behind, running or waiting', async () => {
    const path = join(root, 'Large.gguf');
    writeTinyLlama(path, { layers: 8, hidden: 256, ff: 1024 });
    let began = () => {};
    const begun = new Promise<void>((resolve) => {
      began = resolve;
    });
    const running = worker.importModel({ model: path, weights: 'fast' }, began);
    const waiting = worker.importModel({ model: path, weights: 'exact' }, () => undefined);
    const ends = Promise.allSettled([running.done, waiting.done]);
    await begun;
    running.cancel();
    waiting.cancel();
    const cancelled = { status: 'rejected', reason: { kind: 'cancelled' } };
    expect(await ends).toMatchObject([cancelled, cancelled]);
    expect(pids).toHaveLength(1);
    expect(readdirSync(bundlesDir)).toEqual([]);
  });
});
