/** Opens PDF files with PDF.js, which runs in this thread and reads of the file only what it needs. */
import './environment.ts';
import type { FileHandle } from 'node:fs/promises';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import {
  getDocument,
  InvalidPDFException,
  PasswordResponses,
  PDFDataRangeTransport,
  type PDFDocumentLoadingTask,
  type PDFDocumentProxy,
  VerbosityLevel,
} from 'pdfjs-dist/legacy/build/pdf.mjs';
import { WorkerMessageHandler } from 'pdfjs-dist/legacy/build/pdf.worker.mjs';
import type { OcrChoice } from '../../../../contract/documents.ts';
import { phrase, said } from '../../../../contract/phrase.ts';
import { invalid, passwordNeeded, passwordWrong } from '../errors.ts';
import { pdfDataFolder } from '../resources.ts';
import { hearComplaints } from './complaints.ts';
import { withTrailer } from './repair.ts';

// PDF.js looks here before it would start a worker of its own.
Object.assign(globalThis, { pdfjsWorker: { WorkerMessageHandler } });
hearComplaints();

const CHUNK_BYTES = 256 * 1024;
/** A page of A3 at 600 dots per inch has 70 million. */
const MOST_IMAGE_PIXELS = 100_000_000;

export interface PdfFile {
  handle: FileHandle;
  bytes: number;
  name: string;
  password: string | undefined;
  /** Recognises the text of scanned pages. */
  ocr: OcrChoice | undefined;
}

/**
 * `pictures`: they are decoded; otherwise that one was left out is a complaint.
 * Throws AppError 'password-needed', 'password-wrong', 'document-invalid'. The caller destroys the document.
 */
export async function openPdf(file: PdfFile, pictures = false): Promise<PDFDocumentProxy> {
  try {
    return await open(file, { range: new FileTransport(file), rangeChunkSize: CHUNK_BYTES }, pictures);
  } catch (error) {
    if (isPasswordError(error)) {
      throw error.code === PasswordResponses.NEED_PASSWORD ? passwordNeeded(file.name) : passwordWrong(file.name);
    }
    const repaired = await withTrailer(file.handle, file.bytes);
    if (repaired) {
      const document = await open(file, { data: repaired }, pictures).catch(() => undefined);
      if (document) return document;
    }
    const why = error instanceof InvalidPDFException ? said('its list of pages is lost') : message(error);
    throw invalid(phrase`${file.name} is damaged and could not be read: ${why}.`, error);
  }
}

/** Passwords are bytes: Latin-1 in old files, UTF-8 in new ones, and PDF.js does not try both. */
async function open(file: PdfFile, source: Source, pictures: boolean): Promise<PDFDocumentProxy> {
  const { password } = file;
  const task = start(source, password, pictures);
  try {
    return await task.promise;
  } catch (error) {
    await task.destroy();
    const other = password === undefined ? undefined : Buffer.from(password, 'utf8').toString('latin1');
    if (!isPasswordError(error) || other === password) throw error;
    const range = 'range' in source ? { ...source, range: new FileTransport(file) } : source;
    return await start(range, other, pictures).promise;
  }
}

type Source = { range: PDFDataRangeTransport; rangeChunkSize: number } | { data: Uint8Array };

function start(source: Source, password: string | undefined, pictures: boolean): PDFDocumentLoadingTask {
  const data = pdfDataFolder();
  return getDocument({
    ...source,
    ...(password === undefined ? {} : { password }),
    disableAutoFetch: true,
    disableStream: true,
    CMapReaderFactory: cMapReaderFor(path.join(data, 'cmaps')),
    StandardFontDataFactory: fileReaderFor(path.join(data, 'standard_fonts')),
    useWorkerFetch: false,
    useSystemFonts: false,
    disableFontFace: true,
    isEvalSupported: false,
    WasmFactory: fileReaderFor(path.join(data, 'wasm')),
    isOffscreenCanvasSupported: false,
    isImageDecoderSupported: false,
    enableXfa: false,
    maxImageSize: pictures ? MOST_IMAGE_PIXELS : 0,
    verbosity: VerbosityLevel.INFOS,
  });
}

function isPasswordError(error: unknown): error is Error & { code: unknown } {
  return error instanceof Error && error.name === 'PasswordException' && 'code' in error;
}

function message(error: unknown): string {
  return error instanceof Error ? error.message.replace(/\.$/, '') : String(error);
}

/** Gives PDF.js the pieces of the file that it asks for. */
class FileTransport extends PDFDataRangeTransport {
  readonly #file: PdfFile;

  constructor(file: PdfFile) {
    super(file.bytes, null);
    this.#file = file;
  }

  override requestDataRange(begin: number, end: number): void {
    void this.#read(begin, end);
  }

  /** A piece that cannot be read stays zero; the file's change is noticed when reading ends. */
  async #read(begin: number, end: number): Promise<void> {
    const chunk = new Uint8Array(Math.min(end, this.#file.bytes) - begin);
    await this.#file.handle.read(chunk, 0, chunk.length, begin).catch(() => undefined);
    this.onDataRange(begin, chunk);
  }
}

interface CMapData {
  cMapData: Uint8Array;
  isCompressed: boolean;
}

/** A class, since PDF.js makes the object itself. */
function cMapReaderFor(folder: string): object {
  return class {
    async fetch({ name }: { name: string }): Promise<CMapData> {
      return { cMapData: await bytesOf(folder, `${name}.bcmap`), isCompressed: true };
    }
  };
}

function fileReaderFor(folder: string): object {
  return class {
    fetch({ filename }: { filename: string }): Promise<Uint8Array> {
      return bytesOf(folder, filename);
    }
  };
}

/** Names come from the document: only their last part counts. */
async function bytesOf(folder: string, name: string): Promise<Uint8Array> {
  return new Uint8Array(await readFile(path.join(folder, path.basename(name))));
}
