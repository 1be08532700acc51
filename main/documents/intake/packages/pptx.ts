/** Reads PowerPoint presentations: a slide is a page, with its speaker notes behind its own text. */

import { phrase } from '../../../../contract/phrase.ts';
import type { Collector, Facts } from '../collector.ts';
import { unsupported } from '../errors.ts';
import { Flow } from '../flow.ts';
import { type Attributes, parseXml, type XmlHandler } from '../markup/xml.ts';
import { Tables } from '../tables.ts';
import type { Archive } from './archive.ts';
import { readPart } from './read-part.ts';
import { coreTitle, relationshipsOf } from './relationships.ts';

export async function readPptx(archive: Archive, collector: Collector, name: string): Promise<Facts> {
  const package_ = await relationshipsOf(archive, '');
  const main = package_.find(({ type }) => type === 'officeDocument')?.part ?? 'ppt/presentation.xml';
  const slides = await slidesOf(archive, main);
  if (slides.length === 0) throw unsupported(phrase`${name} has no slides.`, 'Save it anew as a presentation (.pptx).');
  const flow = new Flow(collector, true);
  for (const [index, slide] of slides.entries()) {
    if (!archive.has(slide)) collector.problem({ kind: 'missing-part', part: slide });
    else await readSlide(archive, slide, flow, collector);
    flow.endPage();
    collector.progress('pages', index + 1, slides.length);
  }
  const title = await coreTitle(archive, package_);
  return { format: 'pptx', unit: 'slide', ...(title === undefined ? {} : { title }) };
}

/** Parts of the slides in the order in which they are shown. */
async function slidesOf(archive: Archive, main: string): Promise<string[]> {
  const parts = new Map((await relationshipsOf(archive, main)).map(({ id, part }) => [id, part]));
  const slides: string[] = [];
  await parseXml(archive.read(main), {
    open(name, attributes) {
      if (name === 'p:sldId') slides.push(parts.get(attributes['r:id'] ?? '') ?? `(${attributes['r:id']})`);
    },
  });
  return slides;
}

async function readSlide(archive: Archive, slide: string, flow: Flow, collector: Collector): Promise<void> {
  await readPart(collector, slide, () => parseXml(archive.read(slide), new Shapes(flow)));
  for (const { type, part } of await relationshipsOf(archive, slide)) {
    if (type === 'diagramData') await readPart(collector, part, () => parseXml(archive.read(part), new Shapes(flow)));
    if (type === 'notesSlide') {
      await readPart(collector, part, () => parseXml(archive.read(part), new Shapes(flow, 'body')));
    }
  }
}

/** Text of the shapes and tables of a slide. `only`: of the placeholders of one kind. */
class Shapes implements XmlHandler {
  readonly #flow: Flow;
  readonly #only: string | undefined;
  #skipping = 0;
  #inText = false;
  /** Kind of the placeholder whose shape is open. */
  #placeholder: string | undefined;
  #paragraphs = 0;
  readonly #tables: Tables;

  constructor(flow: Flow, only?: string) {
    this.#flow = flow;
    this.#tables = new Tables(flow);
    this.#only = only;
  }

  open(name: string, attributes: Attributes): void {
    if (this.#skipping > 0 || name === 'mc:Fallback') {
      this.#skipping += 1;
      return;
    }
    if (name === 'p:sp') [this.#placeholder, this.#paragraphs] = [undefined, 0];
    else if (name === 'p:ph') this.#placeholder = attributes.type ?? 'obj';
    else if (name === 'a:t') this.#inText = true;
    else if (name === 'a:br') this.text('\n', true);
    else if (name === 'a:tbl') this.#tables.begin();
    else if (name === 'a:tc') this.#tables.beginCell();
  }

  text(text: string, always = false): void {
    if (this.#skipping > 0 || (!this.#inText && !always)) return;
    // Numbers, dates and footers of the master repeat on every slide.
    if (['sldNum', 'dt', 'ftr', 'hdr'].includes(this.#placeholder ?? '')) return;
    if (this.#only !== undefined && this.#placeholder !== this.#only) return;
    this.#flow.text(text);
  }

  close(name: string): void {
    if (this.#skipping > 0) {
      this.#skipping -= 1;
      return;
    }
    if (name === 'a:t') this.#inText = false;
    else if (name === 'a:p') this.#endParagraph();
    else if (name === 'a:tr') this.#tables.endRow();
    else if (name === 'a:tbl') this.#tables.end();
    else if (name === 'p:sp') {
      this.#flow.endParagraph({ heading: this.#headingLevel() });
      this.#placeholder = undefined;
    }
  }

  /** A title is one heading however many paragraphs it has. */
  #endParagraph(): void {
    const within = this.#tables.inCell || this.#headingLevel() !== undefined;
    if (!within) this.#flow.endParagraph({ tight: this.#paragraphs++ > 0 });
    else this.#tables.endParagraph();
  }

  #headingLevel(): number | undefined {
    return this.#placeholder === 'title' || this.#placeholder === 'ctrTitle' ? 1 : undefined;
  }
}
