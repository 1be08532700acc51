/** Files that are no readable GGUF at all: each kind is told apart (HAND-12). */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ErrorKind } from '../../../contract/errors.ts';
import { ByteWriter } from '../testdata/gguf-writer.ts';
import { refusal } from '../testdata/refusal.ts';
import { tempDir } from '../testdata/temp-dir.ts';
import { readGguf } from './gguf.ts';

const dir = tempDir();

/** [what it is, the file (text as Latin-1), the kind of refusal, its reason] */
type Case = [what: string, bytes: Uint8Array | string, kind: ErrorKind, message: RegExp];

const foreign: Case[] = [
  ['0 bytes', '', 'model-invalid', /empty \(0 bytes\)/],
  ['3 bytes', 'GGU', 'model-invalid', /only 3 bytes/],
  ['6 bytes', 'GGUF\x03\x00', 'model-invalid', /cut within its first 8 bytes/],
  ['version 0', new ByteWriter().raw('GGUF').u32(0).raw(Buffer.alloc(16)).done(), 'model-invalid', /version is 0/],
  [
    'version 1',
    new ByteWriter().raw('GGUF').u32(1).raw(Buffer.alloc(16)).done(),
    'model-unsupported',
    /version 1, an early draft/,
  ],
  [
    'version 4',
    new ByteWriter().raw('GGUF').u32(4).raw(Buffer.alloc(16)).done(),
    'model-unsupported',
    /version 4 is newer/,
  ],
  [
    'a big-endian version',
    new ByteWriter().raw('GGUF\x00\x00\x00\x03').raw(Buffer.alloc(16)).done(),
    'model-unsupported',
    /big-endian/,
  ],
  ['a magic the other way round', 'FUGG\x00\x00\x00\x03', 'model-unsupported', /big-endian/],
  ['ggjt', 'tjgg\x03\x00\x00\x00', 'model-unsupported', /old ggjt format/],
  ['ggml', 'lmgg\x00\x00\x00\x00', 'model-unsupported', /old ggml format/],
  [
    'a Git LFS pointer',
    'version https://git-lfs.github.com/spec/v1\noid sha256:b179\nsize 98362432\n',
    'model-invalid',
    /Git LFS pointer/,
  ],
  ['an HTML page', '\n  <!DOCTYPE html>\n<html><body>404</body></html>', 'model-invalid', /web page/],
  ['an HTML page with a byte order mark', '\u00EF\u00BB\u00BF<html lang="en">', 'model-invalid', /web page/],
  ['an XML error', '<?xml version="1.0"?><Error>', 'model-invalid', /web page/],
  ['a JSON error', '{"error":"Invalid credentials"}', 'model-invalid', /JSON/],
  ['a ZIP archive', 'PK\x03\x04rest of it', 'model-invalid', /ZIP/],
  ['zeros', Buffer.alloc(1000), 'model-invalid', /starts with zeros/],
  ['other bytes', 'Entry not found', 'model-invalid', /starts with the bytes 456e7472/],
];

describe('foreign files', () => {
  for (const [what, bytes, kind, message] of foreign) {
    it(`refuses ${what}`, async () => {
      const path = join(dir, 'model.gguf');
      writeFileSync(path, typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes);
      const error = await refusal(() => readGguf(path));
      expect(error.message).toMatch(message);
      expect(error.message).toContain('model.gguf');
      expect(error.kind).toBe(kind);
      expect(error.action).toBeTruthy();
    });
  }
});

describe('not a file', () => {
  it('tells a missing file from a broken one', async () => {
    expect(await refusal(() => readGguf(join(dir, 'none.gguf')))).toMatchObject({ kind: 'model-missing' });
    writeFileSync(join(dir, 'plain'), '');
    expect(await refusal(() => readGguf(join(dir, 'plain', 'below.gguf')))).toMatchObject({ kind: 'model-missing' });
  });

  it('refuses a folder', async () => {
    mkdirSync(join(dir, 'folder.gguf'));
    expect((await refusal(() => readGguf(join(dir, 'folder.gguf')))).message).toContain('this is a folder');
  });

  it.skipIf(process.platform === 'win32')('refuses a device', async () => {
    expect((await refusal(() => readGguf('/dev/zero'))).message).toContain('device or pipe');
  });
});
