/** Relationships between the parts of an Office document (Open Packaging Conventions). */
import path from 'node:path';
import { parseXml } from '../markup/xml.ts';
import { type Archive, resolvePart } from './archive.ts';

export interface Relationship {
  id: string;
  /** Last word of its type: 'officeDocument', 'slide', 'notesSlide', 'footnotes'. */
  type: string;
  /** Name of the part it leads to. */
  part: string;
}

/** Those of a part, '' for the package itself. What leads out of the package is left out. */
export async function relationshipsOf(archive: Archive, part: string): Promise<Relationship[]> {
  const { dir, base } = path.posix.parse(part);
  const relationships: Relationship[] = [];
  await parseXml(archive.read(path.posix.join(dir, '_rels', `${base}.rels`)), {
    open(name, { Id, Type, Target, TargetMode }) {
      if (!name.endsWith('Relationship') || TargetMode === 'External' || !Target) return;
      const type = Type?.slice(Type.lastIndexOf('/') + 1) ?? '';
      relationships.push({ id: Id ?? '', type, part: resolvePart(part, Target) });
    },
  });
  return relationships;
}

/** The title in an Office document's core properties. */
export async function coreTitle(archive: Archive, relationships: readonly Relationship[]): Promise<string | undefined> {
  const core = relationships.find(({ type }) => type === 'core-properties');
  return core && textOfElement(archive, core.part, 'dc:title');
}

/** Text of the first element of that name; undefined where it has none. */
export async function textOfElement(archive: Archive, part: string, element: string): Promise<string | undefined> {
  let inside = false;
  let found: string | undefined;
  await parseXml(archive.read(part), {
    open: (name) => {
      if (name === element && found === undefined) {
        inside = true;
        found = '';
      }
    },
    text: (text) => {
      if (inside) found += text;
    },
    close: (name) => {
      if (name === element) inside = false;
    },
  });
  return found?.trim() || undefined;
}
