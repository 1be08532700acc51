/**
 * Reads one file: hashes it, finds out its format and hands it to that format's reader. A file that changes meanwhile is
 * an error, since its pages would be of two files. Runs in the thread of the parser process that may be ended.
 */
import { createHash } from 'node:crypto';
import type { Stats } from 'node:fs';
import { type FileHandle, open, stat } from 'node:fs/promises';
import path from 'node:path';
import type { DocumentOutline, OcrChoice } from '../../../contract/documents.ts';
import { AppError } from '../../../contract/errors.ts';
import { phrase, said } from '../../../contract/phrase.ts';
import { Collector, Cut, type Facts, type Listener } from './collector.ts';
import { containerOf, packageFormat, textFormat } from './detect.ts';
import { readDocx } from './docx/docx.ts';
import { beyondLimit, unsupported } from './errors.ts';
import { MOST_TEXT_BYTES, MOST_UNPACKED_BYTES } from './limits.ts';
import { readHtml, statedEncoding } from './markup/html-file.ts';
import { Archive } from './packages/archive.ts';
import { readEpub } from './packages/epub.ts';
import { readOdt } from './packages/odt.ts';
import { decryptOffice } from './packages/office-crypto.ts';
import { readPptx } from './packages/pptx.ts';
import { decodeText } from './text/encoding.ts';
import { readText } from './text/text.ts';

export interface FileToRead {
  path: string;
  password?: string;
  /** Recognises the text of scanned pages. */
  ocr?: OcrChoice;
}

const HASH_BYTES = 1024 * 1024;
const READABLE = 'Open a PDF, Word, PowerPoint, OpenDocument text, EPUB, HTML, Markdown, CSV or plain text file.';

/** Throws AppError as DocumentReader.readPages says. */
export async function readFile(file: FileToRead, listener: Listener): Promise<DocumentOutline> {
  const name = path.basename(file.path);
  const handle = await openFile(file.path, name);
  try {
    const before = await handle.stat();
    const collector = new Collector(listener);
    const sha256 = await hashOf(handle, before.size, collector);
    const reading = new Reading(file, name, handle, before.size, collector);
    let facts: Facts;
    try {
      facts = await reading.read();
    } catch (error) {
      // What looks like damage may be the file of a program that is writing it.
      await checkUnchanged(file.path, name, handle, before);
      throw error;
    }
    await checkUnchanged(file.path, name, handle, before);
    const { headings, problems, pageCount } = collector;
    return { ...facts, pageCount, headings, problems, bytes: before.size, sha256, modifiedAt: before.mtimeMs };
  } finally {
    await handle.close();
  }
}

class Reading {
  readonly #file: FileToRead;
  readonly #name: string;
  readonly #handle: FileHandle;
  readonly #bytes: number;
  readonly #collector: Collector;
  /** Known before the first page, for a document that a limit cuts. */
  #format: Facts = { format: 'text', unit: 'part' };

  constructor(file: FileToRead, name: string, handle: FileHandle, bytes: number, collector: Collector) {
    this.#file = file;
    this.#name = name;
    this.#handle = handle;
    this.#bytes = bytes;
    this.#collector = collector;
  }

  async read(): Promise<Facts> {
    try {
      return await this.#read();
    } catch (error) {
      if (error instanceof Cut) return this.#format;
      throw error;
    }
  }

  async #read(): Promise<Facts> {
    const start = await this.#readBytes(Math.min(this.#bytes, 4096));
    const container = containerOf(start);
    if (container === 'pdf') return this.#pdf();
    if (container === 'zip') return this.#package(this.#handle);
    if (container === 'compound') {
      const encrypted = await this.#whole(MOST_UNPACKED_BYTES);
      return this.#package(await decryptOffice(encrypted, this.#file.password, this.#name));
    }
    if (container !== 'text') throw unsupported(phrase`${this.#name} is ${said(container.other)}.`, READABLE);
    return this.#text(await this.#whole(MOST_TEXT_BYTES));
  }

  async #pdf(): Promise<Facts> {
    this.#format = { format: 'pdf', unit: 'page' };
    // Loaded only where it is needed: it is larger than everything else together.
    const { readPdf } = await import('./pdf/pdf.ts');
    const { password, ocr } = this.#file;
    const file = { handle: this.#handle, bytes: this.#bytes, name: this.#name, password, ocr };
    return readPdf(file, this.#collector);
  }

  async #package(source: FileHandle | Buffer): Promise<Facts> {
    const archive = await Archive.open(source, this.#name);
    const format = await packageFormat(archive);
    switch (format) {
      case 'docx':
        this.#format = { format, unit: 'part' };
        return readDocx(archive, this.#collector, this.#name);
      case 'odt':
        this.#format = { format, unit: 'part' };
        return readOdt(archive, this.#collector, this.#name);
      case 'pptx':
        this.#format = { format, unit: 'slide' };
        return readPptx(archive, this.#collector, this.#name);
      case 'epub':
        this.#format = { format, unit: 'chapter' };
        return readEpub(archive, this.#collector, this.#name);
      default:
        throw unsupported(phrase`${this.#name} is an archive or a document of another kind.`, READABLE);
    }
  }

  #text(bytes: Buffer): Facts {
    const decoded = decodeText(bytes, statedEncoding(bytes));
    if (decoded === undefined) throw unsupported(phrase`${this.#name} holds no text.`, READABLE);
    const format = textFormat(this.#name, decoded.text);
    this.#format = { format, unit: 'part', encoding: decoded.encoding };
    if (format === 'html') return readHtml(decoded, this.#collector);
    return readText(decoded, format, this.#collector);
  }

  async #whole(most: number): Promise<Buffer> {
    if (this.#bytes <= most) return this.#readBytes(this.#bytes);
    const [has, may] = [this.#bytes, most].map((bytes) => Math.ceil(bytes / 2 ** 20));
    throw beyondLimit(phrase`${this.#name} has ${has} MB; a file of its kind may have ${may} MB.`);
  }

  /** Fewer where the file has become shorter, which is noticed at the end. */
  async #readBytes(length: number): Promise<Buffer> {
    const bytes = Buffer.alloc(length);
    let filled = 0;
    while (filled < length) {
      const { bytesRead } = await this.#handle.read(bytes, filled, length - filled, filled);
      if (bytesRead === 0) break;
      filled += bytesRead;
    }
    return bytes.subarray(0, filled);
  }
}

async function openFile(file: string, name: string): Promise<FileHandle> {
  try {
    // Opening a pipe would wait for its other end.
    if ((await stat(file)).isFile()) return await open(file, 'r');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') {
      throw new AppError('document-missing', phrase`${name} is not there any more.`, {
        action: 'It may have been moved, renamed or deleted. Open it from where it is now.',
        detail: file,
      });
    }
    throw new AppError('document-missing', phrase`${name} cannot be opened (${code ?? String(error)}).`, {
      action: 'Check that you may read it and that no other program holds it.',
      detail: file,
    });
  }
  throw unsupported(phrase`${name} is no file.`, 'Choose a file, or open the folder as a whole.');
}

async function hashOf(handle: FileHandle, size: number, collector: Collector): Promise<string> {
  const hash = createHash('sha256');
  const buffer = Buffer.alloc(HASH_BYTES);
  let position = 0;
  for (;;) {
    const { bytesRead } = await handle.read(buffer, 0, HASH_BYTES, position);
    if (bytesRead === 0) return hash.digest('hex');
    position += bytesRead;
    hash.update(buffer.subarray(0, bytesRead));
    collector.progress('bytes', Math.min(position, size), size);
  }
}

/** Both the open file and what its name leads to must be as they were. */
async function checkUnchanged(file: string, name: string, handle: FileHandle, before: Stats): Promise<void> {
  const changed = (what: string) =>
    new AppError('document-changed', phrase`${name} ${said(what)} while it was read.`, {
      action: 'Wait until the program that writes it has finished, then open it again.',
    });
  let there: Stats;
  try {
    there = await stat(file);
  } catch {
    throw changed('was moved or deleted');
  }
  const open = await handle.stat();
  const same = (now: Stats) => now.size === before.size && now.mtimeMs === before.mtimeMs && now.ino === before.ino;
  if (!same(open) || !same(there)) throw changed('changed');
}
