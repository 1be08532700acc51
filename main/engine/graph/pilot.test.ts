/** The pilot's graph through ONNX Runtime on the CPU, against plain integer sums. */
import { mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { loadNative } from '../../../native/js/load.ts';
import { pilotGraphFile } from '../attention/pilot/graph-files.ts';
import { type PilotGraph, pilotGraph } from './pilot.ts';

const native = loadNative();
const folder = mkdtempSync(join(tmpdir(), 'pilot-graph-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const GRAPH: PilotGraph = { heads: 2, rows: 5, headDim: 16, keys: 33, lambdaQ: 0.02, lambdaK: 0.03, range: 12_000 };

test('bytes out are the rounded and clamped integer products', () => {
  const { heads, rows, headDim, keys, range } = GRAPH;
  // Wide enough that some products saturate at both ends.
  const q = Uint8Array.from({ length: heads * rows * headDim }, (_, i) => (i * 89 + 7) % 256);
  const k = Uint8Array.from({ length: heads * headDim * keys }, (_, i) => (i * 151 + 3) % 256);
  const out = new Uint8Array(heads * rows * keys);
  const session = native.openSession(pilotGraphFile(folder, GRAPH), { threads: 1 });
  session.run(
    [
      { data: q, dims: [1, heads, rows, headDim] },
      { data: k, dims: [1, heads, headDim, keys] },
    ],
    [{ data: out, dims: [1, heads, rows, keys] }],
  );
  session.close();
  let ends = 0;
  for (let h = 0; h < heads; h++) {
    for (let r = 0; r < rows; r++) {
      for (let c = 0; c < keys; c++) {
        let sum = 0;
        for (let d = 0; d < headDim; d++) {
          sum += ((q[(h * rows + r) * headDim + d] ?? 0) - 128) * ((k[(h * headDim + d) * keys + c] ?? 0) - 128);
        }
        const exact = (sum * 127) / range + 128;
        const value = out[(h * rows + r) * keys + c] ?? Number.NaN;
        if (value === 0 || value === 255) ends++;
        // A half may round either way.
        expect(Math.abs(value - Math.min(Math.max(exact, 0), 255))).toBeLessThanOrEqual(0.501);
      }
    }
  }
  expect(ends).toBeGreaterThan(0);
});

test('a file is written once, made anew when damaged, and another scale has another file', () => {
  const path = pilotGraphFile(folder, GRAPH);
  expect(readFileSync(path)).toEqual(Buffer.from(pilotGraph(GRAPH)));
  truncateSync(path, 20);
  expect(pilotGraphFile(folder, GRAPH)).toBe(path);
  expect(readFileSync(path)).toEqual(Buffer.from(pilotGraph(GRAPH)));
  writeFileSync(path, Buffer.alloc(pilotGraph(GRAPH).length, 1));
  pilotGraphFile(folder, GRAPH);
  expect(readFileSync(path)).toEqual(Buffer.from(pilotGraph(GRAPH)));
  expect(pilotGraphFile(folder, { ...GRAPH, lambdaQ: 0.04 })).not.toBe(path);
});
