/** Comparisons leave the app as a report that a browser opens, as a picture of it, or as their figures. */
import path from 'node:path';
import type { KeptComparison } from '../../contract/compare.ts';
import type { Language } from '../../contract/language.ts';
import { fileNameOf, writeWhole } from '../write-whole.ts';
import { reportOf } from './core/report.ts';

export type ReportFormat = 'html' | 'png' | 'json';

export interface ComparisonFilesOptions {
  /** Asks where to; undefined where the user thought better of it. */
  chooseTarget: (fileName: string) => Promise<string | undefined>;
  /** A page as a PNG picture. */
  picture: (html: string) => Promise<Uint8Array>;
  language: () => Language;
}

export class ComparisonFiles {
  readonly #options: ComparisonFilesOptions;

  constructor(options: ComparisonFilesOptions) {
    this.#options = options;
  }

  /** Returns the file's name, or null where the user thought better of it. Throws AppError. */
  async export(comparison: KeptComparison, format: ReportFormat): Promise<string | null> {
    const name = comparison.kind === 'curve' ? 'curve' : 'comparison';
    const day = new Date(comparison.createdAt).toISOString().slice(0, 10);
    const target = await this.#options.chooseTarget(fileNameOf(`${name} ${comparison.model} ${day}`, name, format));
    if (target === undefined) return null;
    await writeWhole(target, [await this.#content(comparison, format)]);
    return path.basename(target);
  }

  async #content(comparison: KeptComparison, format: ReportFormat): Promise<string | Uint8Array> {
    if (format === 'json') return JSON.stringify(comparison, undefined, 2);
    const html = reportOf(comparison, this.#options.language());
    return format === 'html' ? html : this.#options.picture(html);
  }
}
