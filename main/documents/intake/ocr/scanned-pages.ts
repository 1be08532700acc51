/** Recognises the text of scanned pages, with a second look at the file that decodes pictures. */
import type { PDFDocumentProxy } from 'pdfjs-dist/legacy/build/pdf.mjs';
import type { OcrChoice } from '../../../../contract/documents.ts';
import { openPdf, type PdfFile } from '../pdf/open.ts';
import { ocrCoreFile } from '../resources.ts';
import { type Picture, pictureOf } from './picture.ts';
import { Recognizer } from './recognizer.ts';

export class ScannedPages {
  readonly #file: PdfFile;
  readonly #choice: OcrChoice;
  /** Made with the first scanned page. */
  #document: PDFDocumentProxy | undefined;
  #recognizer: Recognizer | undefined;

  constructor(file: PdfFile, choice: OcrChoice) {
    this.#file = file;
    this.#choice = choice;
  }

  /**
   * '' where nothing was recognised, or the picture cannot be decoded.
   * Throws AppError 'document-unsupported' where data of a language is missing.
   */
  async textOf(number: number): Promise<string> {
    const { folder, languages } = this.#choice;
    this.#recognizer ??= await Recognizer.open(ocrCoreFile(), folder, languages);
    this.#document ??= await openPdf(this.#file, true);
    const picture = await this.#picture(this.#document, number);
    return picture === undefined ? '' : this.#recognizer.read(picture);
  }

  async #picture(document: PDFDocumentProxy, number: number): Promise<Picture | undefined> {
    try {
      const page = await document.getPage(number);
      const picture = await pictureOf(page);
      page.cleanup();
      return picture;
    } catch {
      return undefined;
    }
  }

  async close(): Promise<void> {
    await this.#document?.loadingTask.destroy();
  }
}
