/** Summaries leave the app as files, or go into a chat. */
import path from 'node:path';
import type { AppEvent } from '../../contract/channels.ts';
import type { Language } from '../../contract/language.ts';
import type { Summary } from '../../contract/summaries.ts';
import { summaryMarkdown, wholeMarkdown } from '../documents/summarise/summary-markdown.ts';
import type { Storage } from '../storage/storage.ts';
import { fileNameOf, writeWhole } from '../write-whole.ts';
import { htmlOf } from './summary-html.ts';

type Format = 'markdown' | 'docx' | 'pdf';
const EXTENSIONS: Record<Format, string> = { markdown: 'md', docx: 'docx', pdf: 'pdf' };

export interface SummaryFilesOptions {
  storage: Storage;
  emit: (event: AppEvent) => void;
  /** Asks where to; undefined where the user thought better of it. */
  chooseTarget: (fileName: string) => Promise<string | undefined>;
  /** A page as PDF. */
  print: (html: string) => Promise<Uint8Array>;
  language: () => Language;
}

export class SummaryFiles {
  readonly #options: SummaryFilesOptions;

  constructor(options: SummaryFilesOptions) {
    this.#options = options;
  }

  /** Returns the file's name, or null where the user thought better of it. Throws AppError. */
  async export(summary: Summary, format: Format): Promise<string | null> {
    const title = summary.documentName.replace(/\.[^.]{1,5}$/, '');
    const target = await this.#options.chooseTarget(fileNameOf(title, 'Summary', EXTENSIONS[format]));
    if (target === undefined) return null;
    await writeWhole(target, [await this.#content(summary, format)]);
    return path.basename(target);
  }

  /** A new chat that begins with the summary as a note. */
  toChat(summary: Summary): { chatId: string } {
    const { storage, emit } = this.#options;
    const chat = storage.chats.create({ title: summary.documentName.slice(0, 200) });
    const opening = storage.messages.addOpening(chat.id);
    // An unfinished one has no whole yet: its parts go along.
    const note = wholeMarkdown(summary) || this.#markdown(summary);
    storage.messages.setNote(opening.id, note);
    storage.messages.finish(opening.id, { text: '', state: 'complete' });
    emit({ type: 'chat', chat: storage.chats.get(chat.id) });
    return { chatId: chat.id };
  }

  #markdown(summary: Summary): string {
    const { storage, language } = this.#options;
    return summaryMarkdown(summary, storage.documents.get(summary.documentId).outline?.unit ?? 'page', language());
  }

  async #content(summary: Summary, format: Format): Promise<string | Uint8Array> {
    const markdown = this.#markdown(summary);
    if (format === 'markdown') return markdown;
    if (format === 'pdf') return this.#options.print(htmlOf(markdown, summary.documentName, this.#options.language()));
    // A large library that most sessions never need.
    return (await import('./summary-docx.ts')).docxOf(markdown, summary.documentName);
  }
}
