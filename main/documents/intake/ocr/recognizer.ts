/** Reads the text of a picture with Tesseract, compiled to WebAssembly; nothing leaves this thread. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import type { OcrLanguage } from '../../../../contract/documents.ts';
import { AppError } from '../../../../contract/errors.ts';
import { phrase } from '../../../../contract/phrase.ts';
import { cleanText } from '../clean.ts';
import type { Picture } from './picture.ts';

/** What is used of Tesseract's program, as Emscripten gives it. */
interface Core {
  FS: { writeFile(name: string, data: Uint8Array): void };
  TessBaseAPI: new () => TessBaseApi;
}
interface TessBaseApi {
  Init(folder: null, languages: string, engine: number): number;
  SetVariable(name: string, value: string): void;
  SetImageFile(exif: number, angle: number, upscale: boolean): number;
  Recognize(monitor: null): number;
  GetUTF8Text(): string;
}
type MakeCore = (options: { print: () => void; printErr: () => void }) => Promise<Core>;

const LSTM_ONLY = 1;
/** Finds columns, headings and lines by itself. */
const AUTOMATIC_SEGMENTATION = '3';
/** Chinese has no spaces, but Tesseract sets some. */
const SPACE_IN_CHINESE =
  /(?<=[\p{Script=Han}\u3001\u3002\uff01-\uff1f]) +(?=[\p{Script=Han}\u3001\u3002\uff01-\uff1f])/gu;

export class Recognizer {
  readonly #core: Core;
  readonly #api: TessBaseApi;

  private constructor(core: Core, api: TessBaseApi) {
    this.#core = core;
    this.#api = api;
  }

  /**
   * `program` is Tesseract's program; `dataFolder` has a file LANGUAGE.traineddata for each language.
   * Throws AppError 'document-unsupported' where a language is missing or is no data of Tesseract's.
   */
  static async open(program: string, dataFolder: string, languages: readonly OcrLanguage[]): Promise<Recognizer> {
    const makeCore = createRequire(program)(program) as MakeCore;
    const core = await makeCore({ print: () => undefined, printErr: () => undefined });
    for (const language of languages) {
      const name = `${language}.traineddata`;
      try {
        core.FS.writeFile(name, readFileSync(path.join(dataFolder, name)));
      } catch (error) {
        throw unusable(language, dataFolder, error);
      }
    }
    const api = new core.TessBaseAPI();
    if (api.Init(null, languages.join('+'), LSTM_ONLY) !== 0) throw unusable(languages.join(', '), dataFolder);
    api.SetVariable('tessedit_pageseg_mode', AUTOMATIC_SEGMENTATION);
    return new Recognizer(core, api);
  }

  /** Lines end in \n, paragraphs in an empty line. '' where no text was found. */
  read({ width, height, pixels }: Picture): string {
    const header = Buffer.from(`P5\n${width} ${height}\n255\n`);
    this.#core.FS.writeFile('/input', Buffer.concat([header, pixels]));
    this.#api.SetImageFile(1, 0, false);
    if (this.#api.Recognize(null) !== 0) return '';
    return cleanText(this.#api.GetUTF8Text())
      .replace(SPACE_IN_CHINESE, '')
      .replace(/\n{3,}/g, '\n\n')
      .trim();
  }
}

function unusable(language: string, folder: string, cause?: unknown): AppError {
  return new AppError('document-unsupported', phrase`Text recognition has no usable data for ${language}.`, {
    action: phrase`Put ${language}.traineddata into ${folder}, or download it in the app, then open the document again.`,
    ...(cause === undefined ? {} : { cause, detail: String(cause) }),
  });
}
