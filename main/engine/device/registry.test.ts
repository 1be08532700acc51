/** The registry with real parts: the processor, its self-test in a process of its own, files that are no libraries. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { loadNative } from '../../../native/js/load.ts';
import { DeviceRegistry } from './registry.ts';

const native = loadNative();
const CPU = 'CPUExecutionProvider:CPU:0';
let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'shadownpu-devices-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const registry = () => new DeviceRegistry(native, { libraryFolders: [folder], selfTestsDir: folder });
const processor = (known: DeviceRegistry) => known.list().find(({ id }) => id === CPU);

test('the processor passes its self-test, and the result is kept', async () => {
  const known = registry();
  expect(processor(known)).toMatchObject({ usable: true, virtual: false, type: 'CPU' });
  expect(processor(known)?.selfTest).toBeUndefined();
  const progress: unknown[] = [];
  await known.selfTest(undefined, { onProgress: ({ done, total }) => progress.push([done, total]) });
  const { selfTest } = processor(registry()) ?? {};
  expect(selfTest).toMatchObject({ passed: true });
  expect(selfTest?.pilotMs).toBeGreaterThan(0);
  expect(selfTest?.linearMs).toBeGreaterThan(0);
  // The expected bytes are exact values: right ones are half a step off at most, and some nearly so.
  expect(selfTest?.worstError).toBeGreaterThan(0.4);
  expect(selfTest?.worstError).toBeLessThanOrEqual(0.51);
  expect(progress).toEqual([
    [0, 1],
    [1, 1],
  ]);
  expect(known.open(CPU)).toEqual({ index: 0, epOptions: {} });
});

test('a faulty device stays out of use until its provider changes or its self-test passes', async () => {
  registry().markFaulty(CPU, 'it gave NaN');
  const known = registry();
  expect(processor(known)).toMatchObject({ usable: false, reason: expect.stringContaining('it gave NaN') });
  expect(() => known.open(CPU)).toThrow(expect.objectContaining({ kind: 'device-unusable' }));

  const file = join(folder, 'devices.json');
  const text = readFileSync(file, 'utf8');
  writeFileSync(file, text.replace(/"state": "[^"]*"/, '"state": "0.9.0 | "'));
  expect(processor(registry())?.usable).toBe(true);

  writeFileSync(file, text);
  await known.selfTest(CPU);
  expect(processor(registry())?.usable).toBe(true);
});

test('a damaged file of findings is as none', () => {
  registry().markFaulty(CPU, 'x');
  writeFileSync(join(folder, 'devices.json'), '{"formatVersion":1,');
  expect(processor(registry())?.usable).toBe(true);
});

test('what is no library gets an entry with the reason, and never an exception', () => {
  writeFileSync(join(folder, 'libonnxruntime_providers_qnn.so'), 'not a library');
  const entry = registry()
    .list()
    .find(({ executionProvider }) => executionProvider === 'QNNExecutionProvider');
  expect(entry).toMatchObject({
    type: 'NPU',
    usable: false,
    flavours: [],
    reason: expect.stringMatching(/no library at all/),
  });
  expect(() => registry().open(entry?.id ?? '')).toThrow(expect.objectContaining({ kind: 'device-unusable' }));
});

test('a library that fails is forgotten with its folder', () => {
  const file = 'libonnxruntime_providers_qnn.so';
  writeFileSync(join(folder, file), 'not a library');
  const known = new DeviceRegistry(native, { libraryFolders: [folder], selfTestsDir: folder });
  const qnn = () => known.list().filter(({ executionProvider }) => executionProvider === 'QNNExecutionProvider');
  expect(qnn()).toHaveLength(1);
  known.setFolders([]);
  expect(qnn()).toHaveLength(0);
});

test('a device that is not there', async () => {
  expect(() => registry().open('x:NPU:0')).toThrow(
    expect.objectContaining({ kind: 'bad-input', action: expect.stringContaining(CPU) }),
  );
  await expect(registry().selfTest('x:NPU:0')).rejects.toMatchObject({ kind: 'bad-input' });
});

test('a stopped test says so and keeps nothing', async () => {
  const abort = new AbortController();
  const test = registry().selfTest(CPU, { onProgress: () => abort.abort(), signal: abort.signal });
  await expect(test).rejects.toMatchObject({ kind: 'cancelled' });
  expect(processor(registry())?.selfTest).toBeUndefined();
});

test('a device that takes too long fails its test', async () => {
  const known = registry();
  await known.selfTest(CPU, { limitMs: 1 });
  expect(processor(known)).toMatchObject({ usable: false, reason: expect.stringMatching(/did not answer/) });
});
