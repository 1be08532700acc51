/** ONNX Runtime's WebGPU provider on a GPU in software (SwiftShader): the way of a real one, though not its drivers. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { softwareGpu } from '../../../scripts/emulators/software-gpu.mjs';
import { difference, greatest, onCpu, onDevice } from './device-run.ts';
import { linearBlock } from './linear-block.ts';

const TARGET = `${process.platform}-${process.arch}`;
const folder = mkdtempSync(join(tmpdir(), 'shadownpu-webgpu-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('a real linear block in half precision agrees with the CPU provider', async ({ skip }) => {
  const gpu = softwareGpu();
  if (typeof gpu === 'string') return skip(gpu);
  const block = await linearBlock('fp16');
  const { outcomes, guest } = await onDevice(gpu, TARGET, folder, { name: 'WebGpuExecutionProvider' }, [
    { ...block, epOptions: {} },
  ]);
  expect(guest.devices.find(({ ep }) => ep === 'WebGpuExecutionProvider')?.type).toBe('GPU');
  const [outcome] = outcomes;
  expect(outcome?.error).toBeUndefined();
  const expected = onCpu(block).values;
  for (const [i, values] of expected.entries()) {
    const most = greatest(values);
    const { worst } = difference(outcome?.values?.[i] ?? new Float32Array(0), values);
    console.log(`output ${i}: worst ${worst} where the greatest is ${most}`);
    expect(worst).toBeLessThan(0.01 * most);
  }
});
