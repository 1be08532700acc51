/** The reader over real processes: the built parser, and one that misbehaves. */
import { fork } from 'node:child_process';
import { appendFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { DocumentPage, ReadProgress } from '../../contract/documents.ts';
import { DocumentReader, type SpawnParser } from './reader.ts';
import { forkParser } from './spawn-parser.ts';
import { rawPart, rawZip } from './testing/archives.ts';
import { docxParts } from './testing/packages.ts';
import { longPdf, pdf } from './testing/pdfs.ts';
import { temporaryFolder } from './testing/read.ts';

const BUNDLE = join(__dirname, '..', '..', 'dist', 'parser.cjs');
const folder = temporaryFolder();
let manyPages: string;
const readers: DocumentReader[] = [];

beforeAll(async () => {
  manyPages = join(folder, 'many pages.pdf');
  const bytes = await pdf((document) => {
    for (let i = 1; i <= 120; i++) {
      if (i > 1) document.addPage();
      document.text(`Page number ${i}`);
    }
  });
  writeFileSync(manyPages, bytes);
});
afterEach(() => {
  for (const reader of readers.splice(0)) reader.stop();
});

function watch(spawn: SpawnParser, more = {}): { reader: DocumentReader; log: string[] } {
  const log: string[] = [];
  const reader = new DocumentReader({ spawn, log: (line) => log.push(line), ...more });
  readers.push(reader);
  return { reader, log };
}

const real = (...args: string[]) => watch(forkParser(BUNDLE, args));

const misbehaving = (more = {}) =>
  watch((listener) => {
    const child = fork(fileURLToPath(new URL('./testing/misbehaving-parser.mjs', import.meta.url)), {
      execArgv: [],
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    child.on('message', (message) => listener.reported(message));
    child.once('exit', (code) => listener.exited(code ?? 9));
    return { post: (command) => child.send(command), kill: () => child.kill('SIGKILL') };
  }, more);

/** Peak resident memory of each child process of this one, in bytes. */
function childrenPeaks(): number[] {
  const ids = readFileSync(`/proc/${process.pid}/task/${process.pid}/children`, 'utf8').trim().split(' ');
  return ids.map((id) => Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${id}/status`, 'utf8'))?.[1] ?? 0) * 1024);
}

describe('the built parser', () => {
  it('reads files one after another, pages in order as they come', async () => {
    const { reader } = real();
    const pages: DocumentPage[] = [];
    const progress: ReadProgress[] = [];
    const first = reader.readPages(manyPages, (page) => pages.push(page), {
      onProgress: (step) => progress.push(step),
    });
    const text = join(folder, 'second.txt');
    writeFileSync(text, 'second');
    const second = reader.read(text);
    expect(await first).toMatchObject({ format: 'pdf', pageCount: 120 });
    expect(pages.map((page) => page.text)).toEqual(Array.from({ length: 120 }, (_, i) => `Page number ${i + 1}`));
    expect(progress.at(-1)).toEqual({ unit: 'pages', done: 120, total: 120 });
    expect((await second).pages).toEqual([{ number: 1, lines: [1, 1], text: 'second' }]);
  });

  it.skipIf(process.platform !== 'linux')(
    'takes less than 600 MB for a PDF of 1,500 pages',
    { timeout: 600_000 },
    async () => {
      const bytes = await longPdf(1500);
      const file = join(folder, 'large.pdf');
      writeFileSync(file, bytes);
      let peak = 0;
      const { reader } = real();
      const outline = await reader.readPages(file, ({ number }) => {
        if (number % 100 === 0) peak = Math.max(peak, ...childrenPeaks());
      });
      expect(outline).toMatchObject({ pageCount: 1500, problems: [] });
      expect(outline.headings).toHaveLength(1500);
      expect(peak).toBeGreaterThan(20 * 2 ** 20);
      expect(peak).toBeLessThan(600 * 2 ** 20);
      console.log(`peak memory of the parser: ${Math.round(peak / 2 ** 20)} MiB`);
    },
  );

  it('can be stopped within a file and reads the next', async () => {
    const { reader } = real();
    const abort = new AbortController();
    const reading = reader.readPages(manyPages, ({ number }) => number === 5 && abort.abort(), {
      signal: abort.signal,
    });
    const waiting = reader.read(manyPages, { signal: abort.signal });
    await expect(reading).rejects.toMatchObject({ kind: 'cancelled' });
    await expect(waiting).rejects.toMatchObject({ kind: 'cancelled' });
    expect((await reader.read(manyPages)).pageCount).toBe(120);
  });

  it('ends a file that needs too much memory, and reads the next', async () => {
    // Styles are kept until the text is read.
    const style = (number: number) => `<w:style w:styleId="s${number}" w:type="paragraph"/>`;
    const all = Array.from({ length: 400_000 }, (_, number) => style(number)).join('');
    const { 'word/styles.xml': styles, ...others } = docxParts('');
    const [start = ''] = styles.split('<w:style ');
    const bomb = rawZip([
      ...Object.entries(others).map(([name, content]) => rawPart(name, Buffer.from(content))),
      rawPart('word/styles.xml', Buffer.from(`${start}${all}</w:styles>`)),
    ]);
    const file = join(folder, 'bomb.docx');
    writeFileSync(file, bomb);
    const { reader } = real('--heap-mib=48');
    await expect(reader.read(file)).rejects.toMatchObject({
      kind: 'document-limit',
      message: expect.stringContaining('memory'),
    });
    expect((await reader.read(manyPages)).pageCount).toBe(120);
  });

  it('notices a file that changes, or disappears, while it is read', async () => {
    const { reader } = real();
    for (const disturb of [
      (file: string) => appendFileSync(file, 'more'),
      (file: string) => rmSync(file),
      (file: string) => writeFileSync(file, 'other'),
    ]) {
      const file = join(folder, 'disturbed.pdf');
      writeFileSync(file, await pdf((document) => Array.from({ length: 200 }, () => document.addPage().text('x'))));
      const reading = reader.readPages(file, ({ number }) => number === 3 && disturb(file));
      await expect(reading).rejects.toMatchObject({ kind: 'document-changed' });
    }
    await expect(reader.read(join(folder, 'absent.pdf'))).rejects.toMatchObject({ kind: 'document-missing' });
    await expect(reader.read(folder)).rejects.toMatchObject({ kind: 'document-unsupported' });
  });
});

describe('a parser that misbehaves', () => {
  it('by ending: the file fails, its pages stay, the next one is read', async () => {
    const { reader, log } = misbehaving();
    const pages: DocumentPage[] = [];
    const reading = reader.readPages('/x/die 7', (page) => pages.push(page));
    await expect(reading).rejects.toMatchObject({
      kind: 'parser-crashed',
      detail: expect.stringContaining('exit code 7'),
    });
    expect(pages).toEqual([{ number: 1, text: 'first' }]);
    expect(log).toEqual([expect.stringContaining('exit code 7')]);
    await expect(reader.read('/x/die 8')).rejects.toMatchObject({ detail: expect.stringContaining('exit code 8') });
  });

  it.each(['hang', 'loop'])('by saying nothing more (%s): it is given up', async (word) => {
    const { reader } = misbehaving({ silenceMs: 700 });
    await expect(reader.read(`/x/${word}`)).rejects.toMatchObject({ kind: 'document-limit' });
  });

  it.each(['hang', 'loop'])('can still be stopped (%s)', async (word) => {
    const { reader } = misbehaving();
    const abort = new AbortController();
    const reading = reader.readPages(`/x/${word}`, () => abort.abort(), { signal: abort.signal });
    await expect(reading).rejects.toMatchObject({ kind: 'cancelled' });
  });

  it('by making no sense: the file fails', async () => {
    const { reader, log } = misbehaving();
    await expect(reader.read('/x/garble')).rejects.toMatchObject({ kind: 'internal' });
    expect(log[0]).toContain('malformed');
  });

  it('is ended when the reader is, and by itself when idle', async () => {
    const ended: Promise<unknown>[] = [];
    const spawn: SpawnParser = (listener) => {
      let exit: (code: number) => void = () => undefined;
      ended.push(new Promise((resolve) => (exit = resolve)));
      return forkParser(BUNDLE)({ ...listener, exited: (code) => [exit(code), listener.exited(code)] });
    };
    const { reader } = watch(spawn, { idleMs: 50 });
    const file = join(folder, 'idle.txt');
    writeFileSync(file, 'x');
    await reader.read(file);
    await ended[0];
    const reading = reader.readPages(manyPages, () => reader.stop());
    await expect(reading).rejects.toMatchObject({ kind: 'cancelled' });
    await ended[1];
    await expect(reader.read(file)).rejects.toMatchObject({ kind: 'cancelled' });
  });
});
