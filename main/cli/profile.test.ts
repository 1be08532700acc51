import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { tempDir } from '../engine/testdata/temp-dir.ts';
import type { Interrupt } from './interrupt.ts';

const home = tempDir();
vi.stubEnv('SHADOWNPU_HOME', home);
// The data folder is read when the module is.
const { profile } = await import('./profile.ts');

const interruptOf = (signal: AbortSignal) => ({ signal }) as Interrupt;

it('names the devices there are when asked for another', async () => {
  const work = profile({ device: 'none' }, interruptOf(new AbortController().signal));
  await expect(work).rejects.toMatchObject({
    kind: 'bad-input',
    action: expect.stringContaining('CPUExecutionProvider:CPU:0'),
  });
});

it('stops, and keeps nothing of a measurement that was stopped', async () => {
  const abort = new AbortController();
  setTimeout(() => abort.abort(), 20);
  await expect(profile({}, interruptOf(abort.signal))).rejects.toMatchObject({ kind: 'cancelled' });
  expect(existsSync(join(home, 'profiles'))).toBe(false);
});
