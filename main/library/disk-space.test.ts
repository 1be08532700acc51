import { statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { expect, it } from 'vitest';
import { checkRoom, freeByDf, freeBytes, RESERVE_BYTES } from './disk-space.ts';

it('tells what may be written, by statfs and by df alike', async () => {
  const { bavail, bsize } = await statfs(tmpdir());
  const expected = bavail * bsize;
  // Others write meanwhile.
  const near = (value: number | undefined) => expect(Math.abs((value ?? 0) - expected)).toBeLessThan(2e9);
  near(await freeBytes(tmpdir()));
  if (process.platform !== 'win32') near(await freeByDf(tmpdir()));
});

it('does not know of a folder that is not there', async () => {
  expect(await freeByDf('/there is/no such folder')).toBeUndefined();
});

it('refuses what would take the reserve, and lets pass what nobody can tell', async () => {
  await checkRoom('/', 10, async () => 10 + RESERVE_BYTES);
  await checkRoom('/', 10, async () => undefined);
  await expect(checkRoom('/', 11, async () => 10 + RESERVE_BYTES)).rejects.toMatchObject({ kind: 'disk-full' });
});
