import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { AppError } from '../../contract/errors.ts';
import type { LibraryDocument } from '../../contract/library-documents.ts';
import { filesIn, openFiles } from './open-files.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'open 打开 '));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('the files of a command line', () => {
  it('are those that are there, given as paths or addresses, without switches and the app itself', () => {
    const app = path.join(folder, 'app');
    const [report, notes] = [path.join(folder, 'a report.pdf'), path.join(folder, '笔记 100%.txt')];
    mkdirSync(app);
    for (const file of [report, notes]) writeFileSync(file, 'x');
    const argv = [
      '/opt/app/shadownpu',
      '--no-sandbox',
      app,
      'a report.pdf',
      pathToFileURL(notes).href,
      '--original-process-start-time=133',
      'gone.pdf',
      'https://example.org/paper.pdf',
      'file://another-host/share/x.pdf',
      '',
      '-psn_0_1',
      folder,
    ];
    expect(filesIn(argv, folder, app)).toEqual([report, notes, folder]);
    expect(filesIn([report], folder, app)).toEqual([]);
  });

  it('may have names that begin like a switch only as paths', () => {
    const file = path.join(folder, '-x.txt');
    writeFileSync(file, 'x');
    expect(filesIn(['app', file], '/', '/app')).toEqual([file]);
  });
});

describe('opening', () => {
  const document = { id: 'd1' } as LibraryDocument;

  async function open(paths: string[], importModel: (file: string) => Promise<unknown> = async () => undefined) {
    const told: unknown[] = [];
    const added: string[][] = [];
    await openFiles(paths, {
      addDocuments: async (files) => {
        added.push(files);
        if (files[0] === '/empty') throw new AppError('bad-input', 'There is no document in it.', { detail: 'x' });
        return [document];
      },
      importModel,
      opened: ({ type, ...event }) => told.push(event),
    });
    return { told, added };
  }

  it('adds documents together and shows the first', async () => {
    expect(await open(['/a.pdf', '/b.txt'])).toEqual({
      added: [['/a.pdf', '/b.txt']],
      told: [{ view: 'documents', documentId: 'd1' }],
    });
  });

  it('imports models, and shows their screen before that is done', async () => {
    const imported: string[] = [];
    const { told, added } = await open(['/m.GGUF', '/a.pdf'], async (file) => imported.push(file));
    expect(imported).toEqual(['/m.GGUF']);
    expect(added).toEqual([['/a.pdf']]);
    expect(told).toEqual([{ view: 'models' }, { view: 'models' }, { view: 'documents', documentId: 'd1' }]);
  });

  it('tells what went wrong, but for what the user stopped', async () => {
    const broken = async () => Promise.reject(new AppError('model-invalid', 'It is cut.'));
    const error = { kind: 'model-invalid', message: 'It is cut.' };
    expect((await open(['/m.gguf'], broken)).told).toEqual([{ view: 'models' }, { view: 'models', error }]);
    const stopped = async () => Promise.reject(new AppError('cancelled', 'Stopped.'));
    expect((await open(['/m.gguf'], stopped)).told).toEqual([{ view: 'models' }, { view: 'models' }]);
    expect((await open(['/empty'])).told).toEqual([
      { view: 'documents', error: { kind: 'bad-input', message: 'There is no document in it.' } },
    ]);
  });
});
