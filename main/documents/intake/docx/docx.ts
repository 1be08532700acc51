/** Reads Word documents. Pages are those that Word noted when it saved the file last; without them the text comes in parts. */

import { phrase } from '../../../../contract/phrase.ts';
import type { Collector, Facts } from '../collector.ts';
import { unsupported } from '../errors.ts';
import { Flow } from '../flow.ts';
import { parseXml } from '../markup/xml.ts';
import { type Archive, DamagedPart } from '../packages/archive.ts';
import { readPart } from '../packages/read-part.ts';
import { coreTitle, relationshipsOf } from '../packages/relationships.ts';
import { Body, type NoteReference } from './body.ts';
import { readStyles } from './styles.ts';

const RENDERED_BREAK = 'lastRenderedPageBreak';

export async function readDocx(archive: Archive, collector: Collector, name: string): Promise<Facts> {
  const package_ = await relationshipsOf(archive, '');
  const main = package_.find(({ type }) => type === 'officeDocument')?.part ?? 'word/document.xml';
  if (!archive.has(main)) throw unsupported(phrase`${name} holds no text.`, 'Save it anew as a Word document (.docx).');
  const related = await relationshipsOf(archive, main);
  const partOf = (wanted: string) => related.find(({ type }) => type === wanted)?.part;
  const styles = await readStyles(archive, partOf('styles'));
  const paged = await mentions(archive, main, RENDERED_BREAK);
  const flow = new Flow(collector, paged);
  const notes = new Notes();
  await readPart(collector, main, () =>
    parseXml(
      archive.read(main),
      new Body({
        flow,
        styles,
        onNote: (note) => notes.mark(note),
        ...(paged ? { onRenderedBreak: () => flow.endPage() } : { onPageBreak: () => flow.endPage() }),
      }),
    ),
  );
  for (const kind of ['footnote', 'endnote'] as const) {
    const part = partOf(`${kind}s`);
    if (part === undefined || !notes.has(kind)) continue;
    await readPart(collector, part, () => readNotes(archive, part, notes, new Body({ flow, styles }), flow));
  }
  flow.endPage();
  const title = await coreTitle(archive, package_);
  return { format: 'docx', unit: paged ? 'page' : 'part', ...(title === undefined ? {} : { title }) };
}

/** Numbers the notes in the order in which the text refers to them. */
class Notes {
  readonly #numbers = new Map<string, number>();

  mark({ kind, id }: NoteReference): string {
    const key = `${kind} ${id}`;
    const number = this.#numbers.get(key) ?? this.#numbers.size + 1;
    this.#numbers.set(key, number);
    return `[${number}]`;
  }

  /** The mark of a note that the text refers to. */
  markOf(kind: string, id: string): string | undefined {
    const number = this.#numbers.get(`${kind} ${id}`);
    return number === undefined ? undefined : `[${number}]`;
  }

  has(kind: string): boolean {
    return [...this.#numbers.keys()].some((key) => key.startsWith(kind));
  }
}

/** Puts the notes behind the text, each after its mark. */
async function readNotes(archive: Archive, part: string, notes: Notes, body: Body, flow: Flow): Promise<void> {
  let wanted = false;
  await parseXml(archive.read(part), {
    open(name, attributes) {
      if (name === 'w:footnote' || name === 'w:endnote') {
        const mark = notes.markOf(name.slice(2), attributes['w:id'] ?? '');
        wanted = mark !== undefined;
        if (wanted) flow.text(`${mark} `);
      } else if (wanted) body.open(name, attributes);
    },
    text: (text) => {
      if (wanted) body.text(text);
    },
    close: (name) => {
      if (name === 'w:footnote' || name === 'w:endnote') wanted = false;
      else if (wanted) body.close(name);
    },
  });
}

/** Whether a part has a word in it, without parsing it. */
async function mentions(archive: Archive, part: string, word: string): Promise<boolean> {
  let tail = '';
  try {
    for await (const chunk of archive.read(part)) {
      const text = tail + chunk.toString('latin1');
      if (text.includes(word)) return true;
      tail = text.slice(-word.length);
    }
  } catch (error) {
    if (!(error instanceof DamagedPart)) throw error;
  }
  return false;
}
