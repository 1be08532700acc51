/** Reads OpenDocument texts. Pages are those that the writing program noted; without them the text comes in parts. */

import { phrase } from '../../../../contract/phrase.ts';
import type { Collector, Facts } from '../collector.ts';
import { unsupported } from '../errors.ts';
import { Flow } from '../flow.ts';
import { type Attributes, parseXml, type XmlHandler } from '../markup/xml.ts';
import { Tables } from '../tables.ts';
import type { Archive } from './archive.ts';
import { readPart } from './read-part.ts';
import { textOfElement } from './relationships.ts';

/** Deleted text, comments, and names and addresses of things rather than text. */
const SKIPPED = new Set([
  'text:tracked-changes',
  'office:annotation',
  'text:ruby-text',
  'office:forms',
  'text:sequence-decls',
  'text:variable-decls',
  'text:user-field-decls',
  'text:index-title-template',
  'text:table-of-content-source',
]);

export async function readOdt(archive: Archive, collector: Collector, name: string): Promise<Facts> {
  if (await isEncrypted(archive)) {
    throw unsupported(phrase`${name} is encrypted.`, 'Open it in LibreOffice and save it without a password.');
  }
  let facts: Facts = { format: 'odt', unit: 'part' };
  await readPart(collector, 'content.xml', async () => {
    const content = new Content(collector);
    await parseXml(archive.read('content.xml'), content);
    facts = { ...facts, unit: content.end() };
  });
  const title = await textOfElement(archive, 'meta.xml', 'dc:title');
  return { ...facts, ...(title === undefined ? {} : { title }) };
}

async function isEncrypted(archive: Archive): Promise<boolean> {
  let found = false;
  await parseXml(archive.read('META-INF/manifest.xml'), {
    open: (name) => {
      found ||= name === 'manifest:encryption-data';
    },
  });
  return found;
}

class Content implements XmlHandler {
  readonly #collector: Collector;
  #flow: Flow;
  #paged = false;
  #skipping = 0;
  /** Paragraphs within each other: a text box, note or cell has its own. */
  #paragraphs = 0;
  #listDepth = 0;
  #itemStarts = false;
  /** Automatic styles whose paragraphs begin a page. */
  readonly #breaking = new Set<string>();
  #style = '';
  #tables: Tables;
  readonly #resume: (() => void)[] = [];
  readonly #headings: (number | undefined)[] = [];
  #citation = false;

  constructor(collector: Collector) {
    this.#collector = collector;
    this.#flow = new Flow(collector, false);
    this.#tables = new Tables(this.#flow);
  }

  /** Ends the last page and says what pages are. */
  end(): 'page' | 'part' {
    this.#flow.endPage();
    return this.#paged ? 'page' : 'part';
  }

  open(name: string, attributes: Attributes): void {
    if (this.#skipping > 0 || SKIPPED.has(name)) {
      this.#skipping += 1;
      return;
    }
    switch (name) {
      case 'style:style':
        this.#style = attributes['style:name'] ?? '';
        if (attributes['style:master-page-name']) this.#breaking.add(this.#style);
        break;
      case 'style:paragraph-properties':
        if (attributes['fo:break-before'] === 'page') this.#breaking.add(this.#style);
        break;
      case 'office:text':
        this.#paged = attributes['text:use-soft-page-breaks'] === 'true';
        this.#flow = new Flow(this.#collector, this.#paged);
        this.#tables = new Tables(this.#flow);
        break;
      case 'text:h':
      case 'text:p':
        this.#beginParagraph(name, attributes);
        break;
      case 'text:soft-page-break':
        if (this.#paged) this.#flow.endPage();
        break;
      case 'text:s':
        this.#flow.text(' '.repeat(Math.min(Number(attributes['text:c'] ?? 1) || 1, 200)));
        break;
      case 'text:tab':
        this.#flow.text('\t');
        break;
      case 'text:line-break':
        this.#flow.text('\n');
        break;
      case 'text:list':
        this.#listDepth += 1;
        break;
      case 'text:list-item':
        this.#itemStarts = true;
        break;
      case 'text:note-citation':
        this.#citation = true;
        this.#flow.text('[');
        break;
      case 'text:note-body':
      case 'draw:text-box':
        this.#resume.push(this.#flow.suspend());
        break;
      case 'table:table':
        this.#tables.begin();
        break;
      case 'table:table-cell':
        this.#tables.beginCell();
        break;
    }
  }

  text(text: string): void {
    if (this.#skipping > 0 || (this.#paragraphs === 0 && !this.#citation)) return;
    // White space is as in HTML; what counts has elements of its own.
    const collapsed = text.replace(/[ \t\r\n]+/g, ' ');
    const starts = collapsed.startsWith(' ') && !this.#flow.wantsSpace;
    this.#flow.text(starts ? collapsed.slice(1) : collapsed);
  }

  close(name: string): void {
    if (this.#skipping > 0) {
      this.#skipping -= 1;
      return;
    }
    switch (name) {
      case 'text:h':
      case 'text:p':
        this.#endParagraph();
        break;
      case 'text:list':
        this.#listDepth -= 1;
        break;
      case 'text:note-citation':
        this.#citation = false;
        this.#flow.text(']');
        break;
      case 'text:note-body':
      case 'draw:text-box':
        this.#resume.pop()?.();
        break;
      case 'table:table-row':
        this.#tables.endRow();
        break;
      case 'table:table':
        this.#tables.end();
        break;
    }
  }

  #beginParagraph(name: string, attributes: Attributes): void {
    if (this.#paragraphs === 0 && this.#breaking.has(attributes['text:style-name'] ?? '')) this.#pageBreak();
    this.#paragraphs += 1;
    const level = Number(attributes['text:outline-level'] ?? 1);
    this.#headings.push(name === 'text:h' ? Math.min(Math.max(level || 1, 1), 9) : undefined);
    if (this.#listDepth > 0 && this.#itemStarts && name === 'text:p') this.#flow.text('- ');
    this.#itemStarts = false;
  }

  #endParagraph(): void {
    this.#paragraphs -= 1;
    const heading = this.#headings.pop();
    const inCell = this.#tables.inCell && this.#resume.length === 0;
    if (inCell && heading === undefined) this.#tables.endParagraph();
    else this.#flow.endParagraph({ heading, tight: this.#listDepth > 0 });
  }

  /** The first paragraph may ask for a page, too, which it has. */
  #pageBreak(): void {
    if (this.#collector.pageCount > 0 || this.#flow.hasText) this.#flow.endPage();
  }
}
