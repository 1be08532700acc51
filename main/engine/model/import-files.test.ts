/** The file system side of an import: hashes, free space, what failed writes mean. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import {
  checkDiskSpace,
  explainWriteError,
  makeTempFolder,
  modelName,
  publish,
  sha256File,
  sha256Model,
} from './import-files.ts';

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

it.each([
  ['/a/b/Some-Model.Q4_1.GGUF', 'Some-Model.Q4_1'],
  ['/a/b/Llama-3.2-1B', 'Llama-3.2-1B'],
  ['/hub/models--HuggingFaceTB--SmolLM2-135M/snapshots/0123abc', 'SmolLM2-135M'],
  ['/hub/models--gpt2/snapshots/0123abc', 'gpt2'],
  ['/models--a--b/other/0123abc', '0123abc'],
])('the model at %s is called %s', (path, name) => {
  expect(modelName(path)).toBe(name);
});

it('several files are one model by the list that sha256sum writes of them', async () => {
  const paths = ['a', 'b'].map((name) => join(dir, `part-${name}`));
  for (const [i, path] of paths.entries()) writeFileSync(path, `content ${i}`);
  let bytes = 0;
  const hash = await sha256Model(paths, (n) => {
    bytes += n;
  });
  expect(bytes).toBe(18);
  const listed = execFileSync('sh', ['-c', 'sha256sum part-a part-b | sha256sum'], { cwd: dir, encoding: 'utf8' });
  expect(hash).toBe(listed.slice(0, 64));
});
