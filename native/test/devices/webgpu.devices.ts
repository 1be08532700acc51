/** ONNX Runtime's WebGPU provider on a GPU in software (SwiftShader): the way of a real one, though not its drivers. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { linearTest } from '../../../main/engine/device/self-test/graphs.ts';
import { softwareGpu } from '../../../scripts/emulators/software-gpu.mjs';
import { difference, greatest, onDevice } from './device-run.ts';

const TARGET = `${process.platform}-${process.arch}`;
const WEBGPU = { name: 'WebGpuExecutionProvider' };
const folder = mkdtempSync(join(tmpdir(), 'shadownpu-webgpu-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('the GPU is listed, and a linear layer on it gives what plain arithmetic gives', async ({ skip }) => {
  const gpu = softwareGpu();
  if (typeof gpu === 'string') return skip(gpu);
  const { model, inputs, expected, tolerance } = linearTest('float32');
  const graph = join(folder, 'linear.onnx');
  writeFileSync(graph, model);
  const one = { graph, inputs: inputs.map(({ data }) => data as Float32Array), epOptions: {} };
  const { outcomes, guest } = await onDevice(gpu, TARGET, folder, WEBGPU, [one]);
  expect(guest.devices.find(({ ep }) => ep === WEBGPU.name)?.type).toBe('GPU');
  expect(outcomes[0]?.error).toBeUndefined();
  const { worst } = difference(outcomes[0]?.values?.[0] ?? new Float32Array(0), Float32Array.from(expected));
  console.log(
    `linear layer of 256 x 256: worst ${worst} where the greatest is ${greatest(Float32Array.from(expected))}`,
  );
  expect(worst).toBeLessThan(tolerance);
});
