import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { AppEvent } from '../../contract/channels.ts';
import type { ExtractedDocument } from '../../contract/documents.ts';
import { AppError } from '../../contract/errors.ts';
import type { ReadOptions } from '../documents/reader.ts';
import { openStorage, type Storage } from '../storage/storage.ts';
import { attachmentText } from './attachment-text.ts';
import { Drafts } from './drafts.ts';
import { withFiles } from './turns.ts';

let folder: string;
let storage: Storage;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'drafts 文件-'));
  storage = openStorage(folder);
});
afterEach(() => {
  storage.close();
  rmSync(folder, { recursive: true, force: true });
});

const document = (text: string): ExtractedDocument => ({
  format: 'text',
  unit: 'page',
  pageCount: 1,
  headings: [],
  problems: [],
  bytes: 7,
  sha256: 'a'.repeat(64),
  modifiedAt: 0,
  pages: [{ number: 1, text }],
});

/** Files are read when the test says so: by `read.resolve` or `read.reject`, in the order in which they came. */
function app(chosen: string[] = []) {
  const told: AppEvent[] = [];
  const waiting: { done: () => boolean; resolve: () => void }[] = [];
  const reads: {
    file: string;
    options: ReadOptions;
    resolve: (document: ExtractedDocument) => void;
    reject: (error: AppError) => void;
  }[] = [];
  const drafts = new Drafts({
    storage,
    reader: {
      read: (file, options = {}) =>
        new Promise((resolve, reject) => {
          reads.push({ file, options, resolve, reject });
        }),
    },
    chooseFiles: async () => chosen,
    tokensOf: async () => 12,
    emit: (event) => {
      told.push(event);
      for (const { done, resolve } of waiting) if (done()) resolve();
    },
    log: () => undefined,
  });
  const until = (done: () => boolean) =>
    done() ? Promise.resolve() : new Promise<void>((resolve) => waiting.push({ done, resolve }));
  const last = () => told.flatMap((event) => (event.type === 'attachments' ? [event.attachments] : [])).at(-1) ?? [];
  return { drafts, told, reads, until, last };
}

function file(name: string, text = 'content'): string {
  const target = path.join(folder, name);
  writeFileSync(target, text);
  return target;
}

describe('a draft', () => {
  it('is told to the windows with the name of the one that has it already', () => {
    const { drafts, told } = app();
    drafts.setText(null, 'half a quest', 'w1');
    expect(told).toEqual([{ type: 'draft', chatId: null, text: 'half a quest', by: 'w1' }]);
    expect(drafts.list()).toEqual([{ chatId: null, text: 'half a quest', attachments: [] }]);
  });
});

describe('an attached file', () => {
  it('is read in the background, with progress, and its tokens are counted', async () => {
    const { drafts, reads, until, last } = app([file('报告.txt')]);
    const [attachment] = await drafts.choose(null);
    expect(attachment).toMatchObject({ name: '报告.txt', bytes: 7, state: 'reading' });
    reads[0]?.options.onProgress?.({ unit: 'pages', done: 1, total: 4 });
    expect(last()[0]?.progress).toEqual({ done: 1, total: 4 });
    reads[0]?.resolve(document('All the words.'));
    await until(() => last()[0]?.tokens !== undefined);
    expect(last()).toEqual([{ id: attachment?.id, name: '报告.txt', bytes: 7, state: 'ready', tokens: 12 }]);
    expect(drafts.list()[0]?.attachments).toEqual(last());
    expect(storage.attachments.text(attachment?.id ?? '')).toBe('All the words.');
  });

  it('that needs a password is read again with it', async () => {
    const { drafts, reads, until, last } = app();
    const [attachment] = await drafts.attach(null, [file('locked.pdf')]);
    reads[0]?.reject(new AppError('password-needed', 'It is locked.', { detail: 'inner' }));
    await until(() => last()[0]?.state === 'failed');
    expect(last()[0]?.error).toEqual({ kind: 'password-needed', message: 'It is locked.' });
    drafts.retry(attachment?.id ?? '', 'secret');
    expect(last()[0]).toMatchObject({ state: 'reading' });
    expect(reads[1]?.options.password).toBe('secret');
    reads[1]?.resolve(document('Open.'));
    await until(() => last()[0]?.state === 'ready');
    expect(last()[0]).not.toHaveProperty('error');
  });

  it('that is removed is given up, and nothing of it comes later', async () => {
    const { drafts, reads, last } = app();
    const [attachment] = await drafts.attach(null, [file('a.txt')]);
    drafts.remove(attachment?.id ?? '');
    expect(reads[0]?.options.signal?.aborted).toBe(true);
    reads[0]?.resolve(document('late'));
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(last()).toEqual([]);
    expect(storage.attachments.find(attachment?.id ?? '')).toBeUndefined();
    drafts.remove('unknown');
  });

  it('must be a file; folders and what is gone are left out', async () => {
    const { drafts } = app();
    mkdirSync(path.join(folder, 'sub'));
    const paths = [path.join(folder, 'sub'), path.join(folder, 'gone.txt')];
    await expect(drafts.attach(null, paths)).rejects.toMatchObject({ kind: 'bad-input' });
    await expect(drafts.attach('nope', [file('a.txt')])).rejects.toThrow(/does not exist/);
    const many = Array.from({ length: 51 }, (_, i) => file(`${i}.txt`));
    await expect(drafts.attach(null, many)).rejects.toThrow(/at most 50/);
    expect(await drafts.attach(null, [...paths, file('b.txt'), file('b.txt')])).toHaveLength(1);
  });

  it('that the end of the app cut off says so, and cannot be read again', async () => {
    const before = app();
    const [attachment] = await before.drafts.attach(null, [file('a.txt')]);
    before.drafts.shutDown();
    const { drafts } = app();
    expect(drafts.list()[0]?.attachments[0]).toMatchObject({ state: 'failed', error: { kind: 'cancelled' } });
    expect(() => drafts.retry(attachment?.id ?? '')).toThrow(/where this file lies/);
  });
});

describe('the text of a document', () => {
  const page = (number: number, text: string) => ({ number, text });

  it('is that of its pages, and says what is missing', () => {
    const pages = [page(1, 'One. '), { ...page(2, ''), problem: 'scanned' as const }, page(3, '\nThree.')];
    expect(attachmentText({ pages, problems: [], unit: 'page' }, 'a.pdf')).toMatchObject({
      text: 'One.\n\nThree.',
      problem: { kind: 'document-invalid', message: 'Not all was read (1 of 3 pages: a picture without text).' },
    });
    expect(attachmentText({ pages: [page(1, 'x')], problems: [], unit: 'page' }, 'a')).toEqual({ text: 'x' });
  });

  it('is refused where there is none (HAND-28)', () => {
    const pages = [{ ...page(1, ' '), problem: 'scanned' as const }];
    expect(() => attachmentText({ pages, problems: [], unit: 'page' }, 'scan.pdf')).toThrow(
      /scan\.pdf has no text \(1 of 1 pages: a picture without text\)/,
    );
  });
});

describe('a question with files', () => {
  it('has them before it, each in a fence that its text cannot end', () => {
    const files = [
      { name: 'a".md\n', text: '```js\nx\n```\n' },
      { name: 'b', text: 'plain' },
    ];
    expect(withFiles('Why?', files)).toBe(
      'File "a .md ":\n````\n```js\nx\n```\n````\n\nFile "b":\n```\nplain\n```\n\nWhy?',
    );
    expect(withFiles('', [{ name: 'b', text: 'x' }])).toBe('File "b":\n```\nx\n```');
    expect(withFiles('Just so.', [])).toBe('Just so.');
  });
});
