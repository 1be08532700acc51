/** Which paragraph styles of a Word document are headings. */
import { type Attributes, parseXml } from '../markup/xml.ts';
import type { Archive } from '../packages/archive.ts';

interface Style {
  name: string;
  basedOn: string;
  /** As stated, from 0; 9 is body text. */
  outlineLevel: number | undefined;
  /** Whether its paragraphs are list items. */
  list: boolean | undefined;
}

export interface ParagraphStyle {
  /** From 1. */
  heading: number | undefined;
  list: boolean;
}

const MOST_ANCESTORS = 20;
const BODY_TEXT = 9;

/** Style id -> what it makes of a paragraph. */
export async function readStyles(archive: Archive, part: string | undefined): Promise<Map<string, ParagraphStyle>> {
  const styles = new Map<string, Style>();
  let style: Style | undefined;
  if (part !== undefined) {
    await parseXml(archive.read(part), {
      open(name, attributes) {
        const value = attributes['w:val'] ?? '';
        if (name === 'w:style') {
          style = { name: '', basedOn: '', outlineLevel: undefined, list: undefined };
          styles.set(attributes['w:styleId'] ?? '', style);
        } else if (!style) return;
        else if (name === 'w:name') style.name = value;
        else if (name === 'w:basedOn') style.basedOn = value;
        else if (name === 'w:outlineLvl') style.outlineLevel = Number(value);
        else if (name === 'w:numId') style.list = value !== '0';
      },
      close(name) {
        if (name === 'w:style') style = undefined;
      },
    });
  }
  return new Map([...styles.keys()].map((id) => [id, resolve(styles, id)]));
}

function resolve(styles: ReadonlyMap<string, Style>, id: string): ParagraphStyle {
  let heading: number | undefined;
  let list: boolean | undefined;
  let style = styles.get(id);
  for (let i = 0; style && i < MOST_ANCESTORS; i++, style = styles.get(style.basedOn)) {
    heading ??= headingOf(style);
    list ??= style.list;
  }
  return { heading: heading === undefined || heading > BODY_TEXT ? undefined : heading, list: list ?? false };
}

/** 10 says that it is body text, whatever it is based on. */
function headingOf({ name, outlineLevel }: Style): number | undefined {
  if (outlineLevel !== undefined && outlineLevel >= 0) return outlineLevel + 1;
  const numbered = /^heading ([1-9])$/i.exec(name)?.[1];
  if (numbered !== undefined) return Number(numbered);
  return /^title$/i.test(name) ? 1 : undefined;
}

/** Whether an on-off element like w:vanish is on. */
export function isOn(attributes: Attributes): boolean {
  return !['0', 'false', 'off', 'none'].includes(attributes['w:val'] ?? '1');
}
