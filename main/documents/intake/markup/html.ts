/** Reads HTML and XHTML as a reader sees it: text in blocks, lists, tables and headings; no scripts, no styles. */
import { Parser } from 'htmlparser2';
import { oneLine } from '../clean.ts';
import type { Flow } from '../flow.ts';
import { MOST_DEPTH } from '../limits.ts';
import { Tables } from '../tables.ts';
import { TooDeep } from './xml.ts';

const SKIPPED = new Set([
  'script',
  'style',
  'template',
  'noscript',
  'iframe',
  'object',
  'audio',
  'video',
  'canvas',
  'datalist',
  'rt',
  'rp',
]);
const BLOCKS = new Set(
  (
    'address article aside blockquote body caption center dd details dialog dir div dl dt fieldset figcaption figure ' +
    'footer form h1 h2 h3 h4 h5 h6 header hgroup hr html legend li main menu nav ol p pre search section summary table ' +
    'tbody td tfoot th thead tr ul'
  ).split(' '),
);
const HEADING = /^h([1-6])$/;

interface List {
  ordered: boolean;
  next: number;
}

export class HtmlReader {
  /** The text of the title element, once it has been read. */
  title: string | undefined;
  readonly #flow: Flow;
  readonly #parser: Parser;
  readonly #lists: List[] = [];
  #depth = 0;
  /** Depth of the outermost skipped element that is open. */
  #skippedAt: number | undefined;
  #preformatted = 0;
  #inTitle = false;
  readonly #tables: Tables;
  #heading: number | undefined;
  #marker = '';

  /** `xhtml`: elements may close themselves, as in EPUB. */
  constructor(flow: Flow, xhtml: boolean) {
    this.#flow = flow;
    this.#tables = new Tables(flow);
    this.#parser = new Parser(
      {
        onopentag: (name, attributes) => this.#open(name, attributes),
        ontext: (text) => this.#text(text),
        onclosetag: (name) => this.#close(name),
      },
      { decodeEntities: true, recognizeSelfClosing: xhtml, lowerCaseTags: true, recognizeCDATA: xhtml },
    );
  }

  /** Throws TooDeep. */
  write(text: string): void {
    this.#parser.write(text);
  }

  end(): void {
    this.#parser.end();
    this.#flow.endParagraph();
  }

  #open(name: string, attributes: Readonly<Record<string, string>>): void {
    this.#depth += 1;
    if (this.#depth > MOST_DEPTH) throw new TooDeep();
    if (this.#skippedAt !== undefined) return;
    if (SKIPPED.has(name) || 'hidden' in attributes) {
      this.#skippedAt = this.#depth;
      return;
    }
    if (name === 'title' && this.title === undefined) {
      this.#inTitle = true;
      this.title = '';
    } else if (name === 'br') this.#flow.text('\n');
    else if (BLOCKS.has(name)) this.#openBlock(name, attributes);
  }

  #openBlock(name: string, attributes: Readonly<Record<string, string>>): void {
    if (name === 'td' || name === 'th') {
      this.#tables.beginCell();
      return;
    }
    this.#endBlock();
    const level = HEADING.exec(name)?.[1];
    if (level !== undefined) this.#heading = Number(level);
    else if (name === 'pre') this.#preformatted += 1;
    else if (name === 'ul' || name === 'ol' || name === 'menu' || name === 'dir') {
      this.#lists.push({ ordered: name === 'ol', next: Number.parseInt(attributes.start ?? '1', 10) || 1 });
    } else if (name === 'li') {
      const list = this.#lists.at(-1);
      this.#marker = list?.ordered ? `${list.next++}. ` : '- ';
    } else if (name === 'table') this.#tables.begin();
  }

  #text(text: string): void {
    if (this.#skippedAt !== undefined) return;
    if (this.#inTitle) {
      this.title += text;
      return;
    }
    if (this.#preformatted > 0) {
      this.#write(text);
      return;
    }
    const collapsed = text.replace(/[ \t\r\n\f]+/g, ' ');
    const visible = collapsed.startsWith(' ') && !this.#flow.wantsSpace ? collapsed.slice(1) : collapsed;
    if (visible !== '') this.#write(visible);
  }

  #close(name: string): void {
    this.#depth -= 1;
    if (this.#skippedAt !== undefined) {
      if (this.#depth < this.#skippedAt) this.#skippedAt = undefined;
      return;
    }
    if (name === 'title' && this.#inTitle) {
      this.#inTitle = false;
      this.title = oneLine(this.title ?? '');
    } else if (BLOCKS.has(name)) this.#closeBlock(name);
  }

  #closeBlock(name: string): void {
    if (name === 'td' || name === 'th') return;
    if (name === 'tr') {
      this.#tables.endRow();
      return;
    }
    this.#endBlock();
    if (name === 'pre') this.#preformatted -= 1;
    else if (name === 'table') this.#tables.end();
    else if (name === 'ul' || name === 'ol' || name === 'menu' || name === 'dir') this.#lists.pop();
    else if (name === 'li') this.#marker = '';
  }

  /** Ends the paragraph where a block begins or ends. Blocks within a cell stand beside each other. */
  #endBlock(): void {
    const heading = this.#heading;
    this.#heading = undefined;
    if (this.#tables.inCell && heading === undefined) this.#tables.endParagraph();
    else this.#flow.endParagraph({ heading, tight: this.#lists.length > 0 && heading === undefined });
  }

  #write(text: string): void {
    if (this.#marker !== '') {
      this.#flow.text(this.#marker);
      this.#marker = '';
    }
    this.#flow.text(text);
  }
}
