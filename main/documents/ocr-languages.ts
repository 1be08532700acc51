/** The languages whose text can be recognised in pictures: which data is here, and fetching what is not. */
import { OcrLanguage } from '../../contract/documents.ts';
import { AppError, type ErrorInfo } from '../../contract/errors.ts';
import type { OcrData } from '../../contract/library-documents.ts';
import type { HttpGet } from '../library/http.ts';
import { fetchOcrLanguage, hasOcrLanguage, ocrLanguageBytes } from './ocr-download.ts';

/** A bar needs no more than this. */
const PROGRESS_EVERY_MS = 100;

export interface OcrLanguagesOptions {
  folder: string;
  get: HttpGet;
  changed: (data: OcrData) => void;
  log: (line: string) => void;
}

export class OcrLanguages {
  readonly #options: OcrLanguagesOptions;
  readonly #fetching = new Map<OcrLanguage, { abort: AbortController; share: number }>();
  /** Of the last try. */
  readonly #errors = new Map<OcrLanguage, ErrorInfo>();

  constructor(options: OcrLanguagesOptions) {
    this.#options = options;
  }

  list(): OcrData[] {
    return OcrLanguage.options.map((language) => this.#data(language));
  }

  /** Begins to fetch; `changed` tells how that goes, and why it failed. */
  fetch(language: OcrLanguage): void {
    if (this.#fetching.has(language)) return;
    this.#errors.delete(language);
    if (!hasOcrLanguage(this.#options.folder, language)) {
      const abort = new AbortController();
      this.#fetching.set(language, { abort, share: 0 });
      void this.#fetch(language, abort.signal);
    }
    this.#tell(language);
  }

  stop(language: OcrLanguage): void {
    this.#fetching.get(language)?.abort.abort();
  }

  shutDown(): void {
    for (const { abort } of this.#fetching.values()) abort.abort();
  }

  async #fetch(language: OcrLanguage, signal: AbortSignal): Promise<void> {
    const { folder, get, log } = this.#options;
    let told = 0;
    const onProgress = (share: number) => {
      const fetching = this.#fetching.get(language);
      if (fetching === undefined) return;
      fetching.share = share;
      if (Date.now() - told < PROGRESS_EVERY_MS) return;
      told = Date.now();
      this.#tell(language);
    };
    try {
      await fetchOcrLanguage(folder, language, { get, signal, onProgress });
    } catch (thrown) {
      const { detail = '', ...error } = AppError.from(thrown).toInfo();
      if (error.kind !== 'cancelled') {
        log(`${language} for text recognition was not fetched: ${error.kind} ${detail}`);
        this.#errors.set(language, error);
      }
    }
    this.#fetching.delete(language);
    this.#tell(language);
  }

  #data(language: OcrLanguage): OcrData {
    const fetching = this.#fetching.get(language);
    const error = this.#errors.get(language);
    const here = hasOcrLanguage(this.#options.folder, language);
    return {
      language,
      bytes: ocrLanguageBytes(language),
      state: here ? 'here' : fetching ? 'fetching' : 'absent',
      ...(fetching ? { share: fetching.share } : {}),
      ...(error ? { error } : {}),
    };
  }

  #tell(language: OcrLanguage): void {
    this.#options.changed(this.#data(language));
  }
}
