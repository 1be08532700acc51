import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';
import type { DeviceInfo } from '../../contract/engine.ts';
import { availableMemory, fitOf } from './fit.ts';

const memory = { weights: 'fast', contextSize: 4096, weightsBytes: 700, kvBytes: 80, scratchBytes: 20 } as const;

it.each([
  [1000, 'fits'],
  [999, 'tight'],
  [800, 'tight'],
  [799, 'no'],
  [0, 'no'],
])('needs 800 bytes of %d: %s', (available, level) => {
  expect(fitOf(memory, { availableBytes: available, devices: [] })).toMatchObject({ level, availableBytes: available });
});

const device = (name: string, more: Partial<DeviceInfo>): DeviceInfo => ({
  id: name,
  name,
  type: 'NPU',
  executionProvider: 'X',
  vendor: 'X',
  flavours: ['pilot-u8', 'w8a16'],
  virtual: false,
  usable: true,
  ...more,
});

it('is told for each device by what its form of the weights takes, of its own memory or of the machine', () => {
  // 1040 bytes of fast weights are 1000 weights: 1040 bytes at 8 bits, 540 at 4, 2000 in half precision.
  const estimate = { ...memory, weightsBytes: 1040, kvBytes: 100, scratchBytes: 60 };
  const own = (bytes: number) => ({ memory: { bytes, own: true } });
  const devices = [
    device('processor', { type: 'CPU', flavours: ['cpu'] }),
    device('no driver', { usable: false }),
    device('pilot only', { flavours: ['pilot-u8'] }),
    device('npu', {}),
    device('npu with a limit', { memory: { bytes: 1200, own: false } }),
    device('small npu', { memory: { bytes: 1000, own: false } }),
    device('four bits only', { flavours: ['w4a16'] }),
    device('card', { type: 'GPU', flavours: ['fp16'], ...own(2500) }),
    device('small card', { type: 'GPU', flavours: ['fp16'], ...own(2499) }),
    device('tiny card', { type: 'GPU', flavours: ['fp16'], ...own(1999) }),
    device('shared graphics', { type: 'GPU', flavours: ['fp16'] }),
  ];
  const levels = (availableBytes: number) =>
    fitOf(estimate, { availableBytes, devices }).devices.map(({ name, level, neededBytes }) => [
      name,
      neededBytes,
      level,
    ]);
  expect(levels(2800)).toEqual([
    ['npu', 1040, 'fits'],
    ['npu with a limit', 1040, 'tight'],
    ['small npu', 1040, 'no'],
    ['four bits only', 540, 'fits'],
    ['card', 2000, 'fits'],
    ['small card', 2000, 'tight'],
    ['tiny card', 2000, 'no'],
    ['shared graphics', 2000, 'no'],
  ]);
  // With less in the machine the rest of the model is what does not fit beside a card.
  expect(levels(1300).map(([, , level]) => level)).toEqual(['no', 'no', 'no', 'no', 'tight', 'tight', 'no', 'no']);
});

it.runIf(process.platform === 'linux')('counts memory as the system does', async () => {
  const told = execFileSync('free', ['-b'], { encoding: 'utf8' });
  const available = Number(/^Mem:.*?(\d+)$/m.exec(told)?.[1]);
  expect(Math.abs((await availableMemory()) - available)).toBeLessThan(0.25 * available);
});
