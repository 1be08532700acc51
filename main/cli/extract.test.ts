/** Runs the built command line on documents. */
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { pdf, png } from '../documents/testing/pdfs.ts';
import { temporaryFolder } from '../documents/testing/read.ts';

const CLI = join(__dirname, '..', '..', 'dist', 'cli.cjs');
const folder = temporaryFolder();

function extract(...args: string[]) {
  return spawnSync(process.execPath, [CLI, 'extract', ...args], {
    encoding: 'utf8',
    timeout: 90_000,
    env: { ...process.env, SHADOWNPU_HOME: join(folder, 'home') },
  });
}

describe('extract', () => {
  it('prints pages on standard output, headings and problems beside it', async () => {
    const file = join(folder, 'mixed.pdf');
    const bytes = await pdf((document) => {
      document.fontSize(20).text('A heading').fontSize(10).text('Some text of the page. '.repeat(20));
      document.addPage().image(png(300, 300), 0, 0);
    });
    writeFileSync(file, bytes);
    const { status, stdout, stderr } = extract(file);
    expect(status).toBe(0);
    expect(stdout).toMatch(/^--- 1\nA heading\n\nSome text of the page\. /);
    expect(stdout).toContain('--- 2: no text found (scanned?)\n');
    expect(stderr).toBe('A heading (1)\n[pdf, 2 pages]\n');
    const json = JSON.parse(extract(file, '--json').stdout);
    expect(json).toMatchObject({
      format: 'pdf',
      pageCount: 2,
      pages: [{ number: 1 }, { number: 2, problem: 'scanned' }],
    });
  });

  it('recognises text where it is asked for, with the data that is there', { timeout: 300_000 }, () => {
    const file = join(folder, 'mixed.pdf');
    const without = extract(file, '--ocr', 'eng');
    expect(without.status).toBe(3);
    expect(without.stderr).toContain('no usable data for eng');
    expect(extract(file, '--ocr', 'latin').status).toBe(2);
  });

  it('opens an encrypted file with its password, and tells errors by exit code', async () => {
    const file = join(folder, 'locked.pdf');
    writeFileSync(file, await pdf((document) => document.text('secret'), { userPassword: 'key' }));
    const locked = extract(file);
    expect([locked.status, locked.stdout]).toEqual([3, '']);
    expect(locked.stderr).toContain('locked.pdf is encrypted.');
    expect(JSON.parse(extract(file, '--json', '--password', 'no').stdout)).toMatchObject({
      error: { kind: 'password-wrong' },
    });
    expect(extract(file, '--password', 'key').stdout).toBe('--- 1\nsecret\n');
    expect(extract(join(folder, 'absent.pdf')).status).toBe(3);
    expect(extract().status).toBe(2);
  });
});
