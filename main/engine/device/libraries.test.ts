import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { findLibraries } from './libraries.ts';
import { machineOf } from './machine.ts';

let root = '';
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'shadownpu-ep 库-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function put(...names: string[]): void {
  for (const name of names) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), '');
  }
}

const namesIn = (folders: string[], machine = machineOf('linux', 'x64', {}, '')) =>
  findLibraries(
    folders.map((folder) => join(root, folder)),
    machine,
  ).map(({ name, path }) => [name, path.slice(root.length + 1)]);

test('providers are told by the names of their files, at any depth of a package', () => {
  put(
    'a/libonnxruntime_providers_openvino_plugin.so',
    'a/qnn/libonnxruntime_providers_qnn.so',
    'a/vitis/x/onnxruntime_vitisai_ep.dll',
    'a/libonnxruntime_providers_other_plugin.so',
    // parts of ONNX Runtime, other files, and too deep
    'a/libonnxruntime.so.1',
    'a/libonnxruntime_providers_shared.so',
    'a/onnxruntime_binding.node',
    'a/libopenvino.so',
    'a/b/c/d/e/libonnxruntime_providers_deep.so',
  );
  expect(namesIn(['a', 'missing'])).toEqual(
    [
      ['otherExecutionProvider', join('a', 'libonnxruntime_providers_other_plugin.so')],
      ['OpenVINOExecutionProvider', join('a', 'libonnxruntime_providers_openvino_plugin.so')],
      ['QNNExecutionProvider', join('a', 'qnn', 'libonnxruntime_providers_qnn.so')],
      ['VitisAIExecutionProvider', join('a', 'vitis', 'x', 'onnxruntime_vitisai_ep.dll')],
    ].sort((x, y) => ((x[1] ?? '') < (y[1] ?? '') ? -1 : 1)),
  );
});

test('of two libraries for one provider that of the first folder comes first', () => {
  put('own/libonnxruntime_providers_qnn.so', 'shipped/libonnxruntime_providers_qnn.so');
  expect(namesIn(['own', 'shipped'])).toEqual([
    ['QNNExecutionProvider', join('own', 'libonnxruntime_providers_qnn.so')],
    ['QNNExecutionProvider', join('shipped', 'libonnxruntime_providers_qnn.so')],
  ]);
});

test("Qualcomm's package for Windows x64: the set for the processor that is there", () => {
  put('qnn/amd64/onnxruntime_providers_qnn.dll', 'qnn/arm64ec/onnxruntime_providers_qnn.dll');
  const file = (set: string) => [['QNNExecutionProvider', join('qnn', set, 'onnxruntime_providers_qnn.dll')]];
  expect(namesIn(['qnn'], machineOf('win32', 'x64', {}, ''))).toEqual(file('amd64'));
  const onArm = machineOf('win32', 'x64', { PROCESSOR_IDENTIFIER: 'ARMv8 (64-bit)' }, '');
  expect(namesIn(['qnn'], onArm)).toEqual(file('arm64ec'));
});
