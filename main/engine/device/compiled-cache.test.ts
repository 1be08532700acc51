import { existsSync, mkdtempSync, readdirSync, readFileSync, truncateSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tempDir } from '../testdata/temp-dir.ts';
import { CompiledCache } from './compiled-cache.ts';

const root = tempDir();

async function cacheWith(keys: readonly string[], limit = 1e9): Promise<{ cache: CompiledCache; dir: string }> {
  const dir = mkdtempSync(join(root, 'cache-'));
  const cache = new CompiledCache(dir, limit);
  for (const key of keys) {
    const temporary = cache.temporary(key);
    writeFileSync(temporary, `compiled ${key} `.repeat(100));
    await cache.keep(key, temporary);
  }
  return { cache, dir };
}

test('what was kept is found, and nothing else lies there', async () => {
  const { cache, dir } = await cacheWith(['a']);
  const path = await cache.find('a');
  expect(path).toBe(join(dir, 'a.onnx'));
  expect(readFileSync(path ?? '', 'utf8')).toContain('compiled a');
  expect(readdirSync(dir).sort()).toEqual(['a.json', 'a.onnx']);
  expect(await cache.find('b')).toBeUndefined();
});

test.each<[string, (dir: string) => void]>([
  ['cut short', (dir) => truncateSync(join(dir, 'a.onnx'), 100)],
  ['empty', (dir) => truncateSync(join(dir, 'a.onnx'), 0)],
  [
    'changed in one bit',
    (dir) => {
      const bytes = readFileSync(join(dir, 'a.onnx'));
      bytes[50] = (bytes[50] ?? 0) ^ 1;
      writeFileSync(join(dir, 'a.onnx'), bytes);
    },
  ],
  ['without its seal', (dir) => truncateSync(join(dir, 'a.json'), 0)],
  ['with a damaged seal', (dir) => truncateSync(join(dir, 'a.json'), 80)],
])('a graph that is %s is removed, and can be kept again', async (_, damage) => {
  const { cache, dir } = await cacheWith(['a', 'b']);
  damage(dir);
  expect(await cache.find('a')).toBeUndefined();
  expect(existsSync(join(dir, 'a.onnx'))).toBe(false);
  expect(await cache.find('b')).toBeDefined();
  const temporary = cache.temporary('a');
  writeFileSync(temporary, 'again');
  await cache.keep('a', temporary);
  expect(await cache.find('a')).toBeDefined();
});

test('trim removes what was used longest ago, but not what is in use', async () => {
  const { cache, dir } = await cacheWith(['a', 'b', 'c', 'd'], 2500);
  // Each has 1100 bytes: two fit.
  for (const [i, key] of ['b', 'a', 'd', 'c'].entries()) utimesSync(join(dir, `${key}.onnx`), i + 1, i + 1);
  await cache.trim(new Set(['b']));
  const left = [];
  for (const key of ['a', 'b', 'c', 'd']) if (await cache.find(key)) left.push(key);
  expect(left).toEqual(['b', 'c']);
});

test('trim removes what a process that has ended left half written', async () => {
  const { cache, dir } = await cacheWith(['a']);
  const mine = cache.temporary('x');
  writeFileSync(mine, '');
  writeFileSync(join(dir, `y.${2 ** 22 + 1}-0123abcd.tmp.onnx`), '');
  await cache.trim(new Set());
  expect(readdirSync(dir).sort()).toEqual(['a.json', 'a.onnx', mine.slice(dir.length + 1)].sort());
});
