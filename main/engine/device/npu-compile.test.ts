/**
 * The offline compilation of a tiny model with a stand-in for the compiler's process: a script that copies each graph, and on
 * demand crashes or refuses. The real compilers run under wine, in "npm run test:devices".
 */
import { readdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { loadNative } from '../../../native/js/load.ts';
import { Engine } from '../engine.ts';
import type { Bundle } from '../model/bundle.ts';
import { refusal } from '../testdata/refusal.ts';
import { tempDir } from '../testdata/temp-dir.ts';
import { writeTinyLlama } from '../testdata/tiny-llama.ts';
import { writeGraphFiles } from './device-graph-files.ts';
import { type NpuCompilation, npuCompile } from './npu-compile.ts';
import { NPU_TARGETS } from './npu-targets.ts';
import { findPrebuilt, npuFolder } from './prebuilt-graphs.ts';

const dir = tempDir();
const standIn = join(dir, 'stand-in.cjs');
const ordered = join(dir, 'ordered.txt');
let bundle: Bundle;

beforeAll(async () => {
  const gguf = join(dir, 'tiny.gguf');
  writeTinyLlama(gguf, { layers: 1, seed: 3 });
  const engine = new Engine({ modelsDir: dir, bundlesDir: join(dir, 'bundles') });
  bundle = await engine.import({ model: gguf, weights: 'exact' });
  await engine.close();
  // Arguments: how it behaves, the real entry (not run), the orders.
  writeFileSync(
    standIn,
    `const fs = require('node:fs');
    const orders = JSON.parse(fs.readFileSync(process.argv[4], 'utf8'));
    const report = (line) => fs.appendFileSync(orders.reportFile, JSON.stringify(line) + '\\n');
    const behaviour = process.argv[2];
    if (behaviour === 'dies') process.exit(3);
    if (behaviour === 'refuses') { report({ type: 'refused', problem: 'no such device' }); process.exit(0); }
    report({ type: 'device', epVersion: '1.2' });
    orders.jobs.forEach(({ graph, output }, place) => {
      report({ type: 'started', place });
      fs.appendFileSync(${JSON.stringify(ordered)}, graph + '\\n');
      if (behaviour === 'crashes' && graph.includes('w8a16-1-001')) process.abort();
      const problem = behaviour === 'complains' && graph.includes('w8a16-8-000') ? 'not supported' : null;
      if (problem === null) fs.copyFileSync(graph, output);
      report({ type: 'compiled', place, seconds: 0.5, problem });
    });`,
  );
});

function compile(outDir: string, behaviour: string, signal?: AbortSignal): Promise<NpuCompilation> {
  const target = NPU_TARGETS.sc8380xp;
  if (target === undefined) throw new Error('no target');
  writeFileSync(ordered, '');
  return npuCompile({
    native: loadNative(),
    bundle,
    target,
    flavour: 'w8a16',
    chunk: 8,
    contextSize: 512,
    library: 'library',
    node: { command: [process.execPath, standIn, behaviour], path: (file) => file },
    outDir: join(dir, outDir),
    cacheDir: join(dir, 'devices'),
    ...(signal ? { signal } : {}),
  });
}

const orderedGraphs = () => readFileSync(ordered, 'utf8').split('\n').length - 1;

test('all shapes of the pilot and all layers, each once; a second run makes only what is missing or damaged', async () => {
  const { graphs, problems, epVersion } = await compile('whole', 'works');
  // Heads 1, 2, 4 for 512 keys; two blocks of 8 rows and of 1.
  expect(graphs.map(({ part }) => part).sort()).toEqual([
    ...['decode', 'decode', 'pilot', 'pilot', 'pilot', 'prefill', 'prefill'],
  ]);
  expect([problems, epVersion]).toEqual([[], '1.2']);
  expect(orderedGraphs()).toBe(7);

  const damaged = graphs[4]?.file ?? '';
  truncateSync(join(dir, 'whole', damaged), 10);
  const again = await compile('whole', 'works');
  expect(orderedGraphs()).toBe(1);
  expect(again.graphs.filter(({ seconds }) => seconds !== undefined).map(({ file }) => file)).toEqual([damaged]);
  expect(readdirSync(join(dir, 'whole')).filter((name) => name.includes('tmp'))).toEqual([]);
});

test('what was compiled is found for devices of that provider, by graph and weights', async () => {
  await compile(basename(npuFolder(dir, 'sc8380xp')), 'works');
  const cacheDir = join(dir, 'devices');
  const files = await writeGraphFiles({ native: loadNative(), bundle, flavour: 'w8a16', chunk: 8, cacheDir });
  const [graph = '', other = ''] = files.blocks.map(({ prefill }) => prefill);
  const find = (provider: string, sha256: string) => findPrebuilt(dir, provider, graph, sha256);
  const [found = '', ...more] = await find('QNNExecutionProvider', files.weightsSha256);
  expect(more).toEqual([]);
  expect(readFileSync(found)).toEqual(readFileSync(graph));
  expect(readFileSync(found)).not.toEqual(readFileSync(other));
  expect(await find('OpenVINOExecutionProvider', files.weightsSha256)).toEqual([]);
  expect(await find('QNNExecutionProvider', '0'.repeat(64))).toEqual([]);
  truncateSync(found, 10);
  expect(await find('QNNExecutionProvider', files.weightsSha256)).toEqual([]);
});

test('a graph that the compiler crashes on or does not take is named, and the others are made', async () => {
  const crashed = await compile('crashed', 'crashes');
  expect(crashed.graphs).toHaveLength(6);
  expect(crashed.problems).toEqual([
    { graph: expect.stringContaining('w8a16-1-001'), problem: expect.stringContaining('ended with') },
  ]);
  const complained = await compile('complained', 'complains');
  expect(complained.graphs).toHaveLength(6);
  expect(complained.problems).toEqual([{ graph: expect.stringContaining('w8a16-8-000'), problem: 'not supported' }]);
});

test.each([
  ['dies', 'ended with code 3'],
  ['refuses', 'no such device'],
])('a compiler that %s at once is an error with what to do', async (behaviour, words) => {
  const { kind, message, action } = await refusal(() => compile('none', behaviour));
  expect(kind).toBe('device-unusable');
  expect(message).toContain(words);
  expect(action).toContain('npm run providers');
});

test('a stop keeps what is done', async () => {
  const stop = new AbortController();
  stop.abort();
  expect((await refusal(() => compile('stopped', 'works', stop.signal))).kind).toBe('cancelled');
});
