/**
 * Main's side of the parser process: reads documents one after another and ends the process where a file takes too long,
 * is given up or has made it unusable. Knows nothing of Electron: `spawn` is handed in.
 */
import { randomUUID } from 'node:crypto';
import path from 'node:path';
import * as v from 'valibot';
import {
  type DocumentOutline,
  type DocumentPage,
  type ExtractedDocument,
  type OcrChoice,
  type ParserCommand,
  ParserReport,
  type ReadProgress,
} from '../../contract/documents.ts';
import { AppError } from '../../contract/errors.ts';
import { phrase } from '../../contract/phrase.ts';

export interface ParserHandle {
  post(command: ParserCommand): void;
  /** Ends the process at once; `exited` is called as for any other end. */
  kill(): void;
}

/** What a spawned process tells. `exited` comes once, last. */
export interface ParserListener {
  reported(message: unknown): void;
  wrote(errorOutput: string): void;
  exited(code: number): void;
}

export type SpawnParser = (listener: ParserListener) => ParserHandle;

export interface ReadOptions {
  password?: string;
  /** Recognises the text of scanned pages of a PDF, which takes seconds a page. */
  ocr?: OcrChoice;
  /** Ends the reading; the promise rejects with AppError 'cancelled'. */
  signal?: AbortSignal;
  onProgress?: (progress: ReadProgress) => void;
}

export interface DocumentReaderOptions {
  spawn: SpawnParser;
  log: (line: string) => void;
  /** A file of which nothing is heard for so long is given up, in milliseconds. */
  silenceMs?: number;
  /** A process without work ends after so long, in milliseconds. */
  idleMs?: number;
}

const SILENCE_MS = 60_000;
const IDLE_MS = 30_000;
/** A page takes this much longer where its text is recognised. */
const OCR_PATIENCE = 5;
/** How much of the process's error output is kept for the log. */
const LAST_WORDS = 2000;

interface Job {
  requestId: string;
  name: string;
  /** How many times longer than others it may be silent. */
  patience: number;
  onPage: (page: DocumentPage) => void;
  onProgress: (progress: ReadProgress) => void;
  resolve: (outline: DocumentOutline) => void;
  reject: (error: AppError) => void;
}

/** A running parser process and what it is reading. */
interface Parser {
  handle: ParserHandle;
  job: Job | undefined;
  lastWords: string;
}

export class DocumentReader {
  readonly #options: DocumentReaderOptions;
  #parser: Parser | undefined;
  #timer: NodeJS.Timeout | undefined;
  /** Settles when the file before has been read. */
  #turn: Promise<unknown> = Promise.resolve();
  #stopped = false;

  constructor(options: DocumentReaderOptions) {
    this.#options = options;
  }

  /** Reads a whole file. Throws AppError, see `readPages`. */
  async read(file: string, options: ReadOptions = {}): Promise<ExtractedDocument> {
    const pages: DocumentPage[] = [];
    const outline = await this.readPages(file, (page) => pages.push(page), options);
    return { ...outline, pages };
  }

  /**
   * Reads a file and hands over its pages in order as they come, so that they need not all be held. Files wait for each other.
   * Throws AppError: 'document-missing', 'document-changed', 'document-unsupported', 'document-invalid', 'document-limit',
   * 'password-needed', 'password-wrong', 'parser-crashed', 'cancelled'. Pages that came before stay valid.
   */
  readPages(file: string, onPage: (page: DocumentPage) => void, options: ReadOptions = {}): Promise<DocumentOutline> {
    const { signal } = options;
    const before = this.#turn;
    const read = (async () => {
      await before;
      if (signal?.aborted || this.#stopped) throw cancelled(file);
      return this.#readNow(file, onPage, options);
    })();
    this.#turn = read.catch(() => undefined);
    return read;
  }

  /** Ends the process for good; a file that is being read rejects with 'cancelled'. */
  stop(): void {
    this.#stopped = true;
    this.#end((job) => cancelled(job.name));
  }

  async #readNow(
    file: string,
    onPage: (page: DocumentPage) => void,
    { password, ocr, signal, onProgress }: ReadOptions,
  ): Promise<DocumentOutline> {
    const name = path.basename(file);
    const cancel = () => this.#end(() => cancelled(name));
    try {
      return await new Promise<DocumentOutline>((resolve, reject) => {
        const requestId = randomUUID();
        const parser = this.#running();
        parser.job = {
          requestId,
          name,
          onPage,
          onProgress: onProgress ?? (() => undefined),
          patience: ocr ? OCR_PATIENCE : 1,
          resolve,
          reject,
        };
        signal?.addEventListener('abort', cancel);
        this.#heard(parser.job);
        parser.handle.post({
          type: 'read',
          requestId,
          path: path.resolve(file),
          ...(password === undefined ? {} : { password }),
          ...(ocr === undefined ? {} : { ocr }),
        });
      });
    } finally {
      signal?.removeEventListener('abort', cancel);
      clearTimeout(this.#timer);
      if (this.#parser) {
        this.#parser.job = undefined;
        this.#timer = setTimeout(() => this.#end(), this.#options.idleMs ?? IDLE_MS);
        this.#timer.unref();
      }
    }
  }

  #running(): Parser {
    if (this.#parser) return this.#parser;
    const mine = () => this.#parser === parser;
    const parser: Parser = {
      job: undefined,
      lastWords: '',
      handle: this.#options.spawn({
        reported: (message) => mine() && this.#reported(parser, message),
        wrote: (text) => {
          parser.lastWords = (parser.lastWords + text).slice(-LAST_WORDS);
        },
        exited: (code) => mine() && this.#exited(parser, code),
      }),
    };
    this.#parser = parser;
    return parser;
  }

  /** The file is alive: the silence begins anew. */
  #heard({ patience }: Job): void {
    clearTimeout(this.#timer);
    const silenceMs = (this.#options.silenceMs ?? SILENCE_MS) * patience;
    this.#timer = setTimeout(() => this.#end((job) => tooSlow(job.name, silenceMs)), silenceMs);
  }

  #reported(parser: Parser, message: unknown): void {
    const parsed = v.safeParse(ParserReport, message);
    const { job } = parser;
    if (!parsed.success) {
      this.#options.log(`malformed report from the parser: ${v.summarize(parsed.issues)}`);
      this.#end(({ name }) => new AppError('internal', phrase`Reading ${name} gave a report that makes no sense.`));
      return;
    }
    const report = parsed.output;
    if (!job || report.requestId !== job.requestId) return;
    this.#heard(job);
    if (report.type === 'page') job.onPage(report.page);
    else if (report.type === 'progress') job.onProgress(report.progress);
    else if (report.type === 'outline') job.resolve(report.outline);
    else if (report.spent) this.#end(() => AppError.fromInfo(report.error));
    else job.reject(AppError.fromInfo(report.error));
  }

  #exited(parser: Parser, code: number): void {
    this.#parser = undefined;
    const detail = `exit code ${code}\n${parser.lastWords}`.trim();
    this.#options.log(`the parser process ended: ${detail}`);
    parser.job?.reject(
      new AppError('parser-crashed', phrase`Reading ${parser.job.name} failed: the file made the parser stop.`, {
        action: 'The file is most likely damaged. Save it anew, or as another format, and open it again.',
        detail,
      }),
    );
  }

  /** Ends the process; the next file gets a new one. */
  #end(why?: (job: Job) => AppError): void {
    clearTimeout(this.#timer);
    const parser = this.#parser;
    this.#parser = undefined;
    if (!parser) return;
    if (parser.job && why) parser.job.reject(why(parser.job));
    parser.handle.kill();
  }
}

function cancelled(file: string): AppError {
  return new AppError('cancelled', phrase`Reading ${path.basename(file)} was stopped.`);
}

function tooSlow(name: string, silenceMs: number): AppError {
  return new AppError(
    'document-limit',
    phrase`Reading ${name} was given up: nothing came for ${Math.round(silenceMs / 1000)} seconds.`,
    { action: 'The file is most likely damaged, or far too complex. Save it as another format and open it again.' },
  );
}
