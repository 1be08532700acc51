/** Turns the elements of a Word document's text into paragraphs: insertions are text, deletions are not. */
import type { Flow } from '../flow.ts';
import type { Attributes, XmlHandler } from '../markup/xml.ts';
import { Tables } from '../tables.ts';
import { isOn, type ParagraphStyle } from './styles.ts';

/** Elements with nothing of the text in them: deleted, moved away, instructions, a second form of the same content. */
const SKIPPED = new Set(['w:del', 'w:moveFrom', 'w:instrText', 'w:delInstrText', 'mc:Fallback', 'w:rubyPr', 'w:rt']);

export interface NoteReference {
  kind: 'footnote' | 'endnote';
  id: string;
}

export interface BodyOptions {
  flow: Flow;
  styles: ReadonlyMap<string, ParagraphStyle>;
  /** Called for each line that was laid out as the first of a page. */
  onRenderedBreak?: () => void;
  onPageBreak?: () => void;
  /** The mark that stands in the text for a note. */
  onNote?: (note: NoteReference) => string;
}

interface Paragraph {
  heading: number | undefined;
  list: boolean;
  /** Its end was deleted: the next paragraph continues it. */
  open: boolean;
}

export class Body implements XmlHandler {
  readonly #options: BodyOptions;
  readonly #flow: Flow;
  #skipping = 0;
  #inText = false;
  #hidden = false;
  #inParagraphProperties = false;
  #paragraph: Paragraph = { heading: undefined, list: false, open: false };
  readonly #tables: Tables;
  readonly #boxes: { resume: () => void; paragraph: Paragraph }[] = [];

  constructor(options: BodyOptions) {
    this.#options = options;
    this.#flow = options.flow;
    this.#tables = new Tables(options.flow);
  }

  open(name: string, attributes: Attributes): void {
    if (this.#skipping > 0 || SKIPPED.has(name)) {
      if (name === 'w:del' && this.#inParagraphProperties) this.#paragraph.open = true;
      this.#skipping += 1;
      return;
    }
    switch (name) {
      case 'w:p':
        if (!this.#paragraph.open) this.#paragraph = { heading: undefined, list: false, open: false };
        this.#paragraph.open = false;
        break;
      case 'w:pPr':
        this.#inParagraphProperties = true;
        break;
      case 'w:pStyle':
        Object.assign(this.#paragraph, this.#options.styles.get(attributes['w:val'] ?? '') ?? {});
        break;
      case 'w:outlineLvl': {
        const level = Number(attributes['w:val']);
        // 9 is body text, whatever its style says.
        if (level >= 0) this.#paragraph.heading = level < 9 ? level + 1 : undefined;
        break;
      }
      case 'w:numId':
        this.#paragraph.list = attributes['w:val'] !== '0';
        break;
      case 'w:r':
        this.#hidden = false;
        break;
      case 'w:vanish':
        if (!this.#inParagraphProperties) this.#hidden = isOn(attributes);
        break;
      case 'w:t':
        this.#inText = true;
        break;
      case 'w:tab':
        if (!this.#inParagraphProperties) this.#write('\t');
        break;
      case 'w:noBreakHyphen':
        this.#write('-');
        break;
      case 'w:cr':
        this.#write('\n');
        break;
      case 'w:br':
        if (attributes['w:type'] === 'page') this.#options.onPageBreak?.();
        else this.#write('\n');
        break;
      case 'w:lastRenderedPageBreak':
        this.#options.onRenderedBreak?.();
        break;
      case 'w:footnoteReference':
      case 'w:endnoteReference': {
        const kind = name === 'w:footnoteReference' ? 'footnote' : 'endnote';
        this.#write(this.#options.onNote?.({ kind, id: attributes['w:id'] ?? '' }) ?? '');
        break;
      }
      case 'w:txbxContent':
        this.#boxes.push({ resume: this.#flow.suspend(), paragraph: this.#paragraph });
        this.#paragraph = { heading: undefined, list: false, open: false };
        break;
      case 'w:tbl':
        this.#tables.begin();
        break;
      case 'w:tc':
        this.#tables.beginCell();
        break;
    }
  }

  text(text: string): void {
    if (this.#inText && this.#skipping === 0) this.#write(text);
  }

  close(name: string): void {
    if (this.#skipping > 0) {
      this.#skipping -= 1;
      return;
    }
    switch (name) {
      case 'w:t':
        this.#inText = false;
        break;
      case 'w:pPr':
        this.#inParagraphProperties = false;
        break;
      case 'w:p':
        this.#endParagraph();
        break;
      case 'w:tr':
        this.#tables.endRow();
        break;
      case 'w:tbl':
        this.#tables.end();
        break;
      case 'w:txbxContent': {
        const box = this.#boxes.pop();
        box?.resume();
        if (box) this.#paragraph = box.paragraph;
        break;
      }
    }
  }

  #endParagraph(): void {
    if (this.#paragraph.open) return;
    const { heading, list } = this.#paragraph;
    if (this.#tables.inCell && this.#boxes.length === 0 && heading === undefined) this.#tables.endParagraph();
    else this.#flow.endParagraph({ heading, tight: list && heading === undefined });
  }

  #write(text: string): void {
    if (this.#hidden || this.#skipping > 0) return;
    if (this.#paragraph.list && this.#paragraph.heading === undefined && !this.#flow.hasParagraph)
      this.#flow.text('- ');
    this.#flow.text(text);
  }
}
