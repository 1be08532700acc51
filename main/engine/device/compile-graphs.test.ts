import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { pilotGraph } from '../graph/pilot.ts';
import { refusal } from '../testdata/refusal.ts';
import { tempDir } from '../testdata/temp-dir.ts';
import { compileGraphs } from './compile-graphs.ts';

const dir = tempDir();
const graph = join(dir, 'pilot.onnx');
writeFileSync(graph, pilotGraph({ heads: 1, rows: 4, headDim: 8, keys: 16, lambdaQ: 0.1, lambdaK: 0.1, range: 100 }));
const broken = join(dir, 'broken.onnx');
writeFileSync(broken, 'not a graph');

function compile(path: string, signal?: AbortSignal): Promise<void> {
  return compileGraphs({
    device: 'the processor',
    open: { index: 0, epOptions: {} },
    jobs: [{ graph: path, output: join(dir, 'output.onnx') }],
    onCompiled: async () => {},
    ...(signal ? { signal } : {}),
  });
}

test('what the provider says against a graph reaches the user, and no output stays', async () => {
  const { kind, message } = await refusal(() => compile(broken));
  expect(kind).toBe('device-unusable');
  expect(message).toMatch(/the processor cannot take .*broken\.onnx/s);
  expect(existsSync(join(dir, 'output.onnx'))).toBe(false);
});

test('a stop before the first graph', async () => {
  const stop = new AbortController();
  stop.abort();
  expect((await refusal(() => compile(graph, stop.signal))).kind).toBe('cancelled');
});
