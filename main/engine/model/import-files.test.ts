/** The file system side of an import: hashes, free space, what failed writes mean. */
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { checkDiskSpace, explainWriteError, makeTempFolder, publish, sha256File, stem } from './import-files.ts';

const dir = mkdtempSync(join(tmpdir(), 'import-files-'));
afterAll(() => rmSync(dir, { recursive: true, force: true }));

it('hashes a file and counts its bytes', async () => {
  const path = join(dir, 'abc');
  writeFileSync(path, 'abc');
  let bytes = 0;
  const hash = await sha256File(path, (n) => {
    bytes += n;
  });
  expect(hash).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
  expect(bytes).toBe(3);
});

it('more than any disk holds is refused with both figures', async () => {
  await checkDiskSpace(dir, 1);
  await expect(checkDiskSpace(dir, 1e18)).rejects.toMatchObject({
    kind: 'disk-full',
    message: /needs 1000000000000 MB/,
  });
});

it('a full disk and a read-only folder have kinds of their own', () => {
  const failure = (code: string) => Object.assign(new Error(code), { code });
  expect(explainWriteError(failure('ENOSPC'), dir)).toMatchObject({ kind: 'disk-full' });
  expect(explainWriteError(failure('EROFS'), dir)).toMatchObject({ kind: 'storage-failed' });
  const other = failure('EIO');
  expect(explainWriteError(other, dir)).toBe(other);
});

it('a published folder has its new name, parents made', async () => {
  const temp = await makeTempFolder(dir);
  writeFileSync(join(temp, 'a'), '');
  await publish(temp, join(dir, 'x', 'y'));
  expect(readdirSync(join(dir, 'x', 'y'))).toEqual(['a']);
  expect(readdirSync(dir).filter((name) => name.startsWith('.'))).toEqual([]);
});

it('the stem of a file name drops .gguf alone', () => {
  expect(stem('/a/b/Some-Model.Q4_1.GGUF')).toBe('Some-Model.Q4_1');
});
