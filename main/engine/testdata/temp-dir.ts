/** A temporary folder for one test file, removed when its tests are over. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';

export function tempDir(): string {
  const dir = mkdtempSync(join(tmpdir(), 'shadownpu-test-'));
  afterAll(() => rmSync(dir, { recursive: true, force: true }));
  return dir;
}
