import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { DIST } from './setup/paths.mjs';

/** What the window may have to read and compile before it shows anything, in kB of 1000 bytes. */
const SCRIPT_KB = 1000;
const STYLE_KB = 100;

const page = join(DIST, 'renderer');
const named = [...readFileSync(join(page, 'index.html'), 'utf8').matchAll(/(?:src|href)="\.\/([^"]+)"/g)];
const files = named.map(([, name = '']) => join(page, name));

test.each([
  ['.js', SCRIPT_KB],
  ['.css', STYLE_KB],
])('what the page loads at once of %s stays below %i kB', (ending, limit) => {
  const mine = files.filter((file) => file.endsWith(ending));
  const bytes = mine.reduce((sum, file) => sum + statSync(file).size, 0);
  const packed = mine.reduce((sum, file) => sum + gzipSync(readFileSync(file)).length, 0);
  console.log(`${ending}: ${(bytes / 1000).toFixed(0)} kB, ${(packed / 1000).toFixed(0)} kB compressed`);
  expect(bytes).toBeGreaterThan(0);
  expect(bytes).toBeLessThan(limit * 1000);
});
