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
  type PDFDocumentProxy,
  VerbosityLevel,
} from 'pdfjs-dist/legacy/build/pdf.mjs';
import { WorkerMessageHandler } from 'pdfjs-dist/legacy/build/pdf.worker.mjs';
import { invalid, passwordNeeded, passwordWrong } from '../errors.ts';

// PDF.js looks here before it would start a worker of its own.
Object.assign(globalThis, { pdfjsWorker: { WorkerMessageHandler } });

const CHUNK_BYTES = 256 * 1024;

export interface PdfFile {
  handle: FileHandle;
  bytes: number;
  name: string;
  password: string | undefined;
  /** Folder with the character maps and standard fonts of PDF.js. */
  dataFolder: string;
}

/**
 * `strict`: reading a page fails where the page is broken or has a picture, instead of leaving it out.
 * Throws AppError 'password-needed', 'password-wrong', 'document-invalid'. The caller destroys the document.
 */
export async function openPdf(file: PdfFile, strict: boolean): Promise<PDFDocumentProxy> {
  const task = getDocument({
    range: new FileTransport(file),
    rangeChunkSize: CHUNK_BYTES,
    disableAutoFetch: true,
    disableStream: true,
    ...(file.password === undefined ? {} : { password: file.password }),
    CMapReaderFactory: cMapReaderFor(path.join(file.dataFolder, 'cmaps')),
    StandardFontDataFactory: fontReaderFor(path.join(file.dataFolder, 'standard_fonts')),
    useWorkerFetch: false,
    useSystemFonts: false,
    disableFontFace: true,
    isEvalSupported: false,
    useWasm: false,
    isOffscreenCanvasSupported: false,
    isImageDecoderSupported: false,
    enableXfa: false,
    stopAtErrors: strict,
    ...(strict ? { maxImageSize: 0 } : {}),
    verbosity: VerbosityLevel.ERRORS,
  });
  try {
    return await task.promise;
  } catch (error) {
    await task.destroy();
    if (error instanceof Error && error.name === 'PasswordException' && 'code' in error) {
      throw error.code === PasswordResponses.NEED_PASSWORD ? passwordNeeded(file.name) : passwordWrong(file.name);
    }
    const why =
      error instanceof InvalidPDFException ? 'it is no PDF, or its beginning and end are lost' : message(error);
    throw invalid(`${file.name} is damaged and could not be read: ${why}.`, error);
  }
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

function fontReaderFor(folder: string): object {
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
