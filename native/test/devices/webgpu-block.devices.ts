/** A real linear block on ONNX Runtime's WebGPU provider, on a GPU in software. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { softwareGpu } from '../../../scripts/emulators/software-gpu.mjs';
import { onDevice } from './device-run.ts';
import { linearBlock } from './linear-block.ts';

const TARGET = `${process.platform}-${process.arch}`;
const WEBGPU = { name: 'WebGpuExecutionProvider' };
const folder = mkdtempSync(join(tmpdir(), 'shadownpu-webgpu-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

// What a GPU without half precision does with the form that linear blocks have for GPUs.
test('a real linear block in half precision is refused in words: SwiftShader has none', async ({ skip }) => {
  const gpu = softwareGpu();
  if (typeof gpu === 'string') return skip(gpu);
  const { outcomes } = await onDevice(gpu, TARGET, folder, WEBGPU, [{ ...(await linearBlock('fp16')), epOptions: {} }]);
  expect(outcomes[0]?.error).toMatch(/requires f16 but the device does not support it/);
});
