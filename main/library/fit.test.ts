import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { availableMemory, fitOf } from './fit.ts';

const memory = { weights: 'fast', contextSize: 4096, weightsBytes: 700, kvBytes: 80, scratchBytes: 20 } as const;

it.each([
  [1000, 'fits'],
  [999, 'tight'],
  [800, 'tight'],
  [799, 'no'],
  [0, 'no'],
])('needs 800 bytes of %d: %s', (available, level) => {
  expect(fitOf(memory, available)).toEqual({ level, memory, availableBytes: available });
});

it.runIf(process.platform === 'linux')('counts memory as the system does', async () => {
  const told = execFileSync('free', ['-b'], { encoding: 'utf8' });
  const available = Number(/^Mem:.*?(\d+)$/m.exec(told)?.[1]);
  expect(Math.abs((await availableMemory()) - available)).toBeLessThan(0.25 * available);
});
