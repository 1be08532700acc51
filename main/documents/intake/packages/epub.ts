/** Reads EPUB books in reading order: a chapter file is a page. */
import path from 'node:path';
import { phrase } from '../../../../contract/phrase.ts';
import { oneLine } from '../clean.ts';
import type { Collector, Facts } from '../collector.ts';
import { invalid, unsupported } from '../errors.ts';
import { Flow } from '../flow.ts';
import { HtmlReader } from '../markup/html.ts';
import { decodeXml, parseXml } from '../markup/xml.ts';
import { type Archive, resolvePart } from './archive.ts';
import { readPart } from './read-part.ts';

/** Ways of hiding embedded fonts, which keep nobody from reading the text. */
const FONT_HIDING = /idpf\.org\/2008\/embedding|ns\.adobe\.com\/pdf\/enc#RC/;
const NAVIGATION = 'application/x-dtbncx+xml';

interface Book {
  title: string;
  /** Parts of the chapters in reading order. */
  chapters: string[];
  /** Part with the table of contents. */
  contents: string | undefined;
}

export async function readEpub(archive: Archive, collector: Collector, name: string): Promise<Facts> {
  const root = await rootOf(archive);
  if (root === undefined || !archive.has(root))
    throw invalid(phrase`${name} is damaged: its list of chapters is missing.`);
  const book = await readBook(archive, root);
  const encrypted = await encryptedParts(archive);
  const closed = book.chapters.filter((chapter) => encrypted.has(chapter));
  if (closed.length > 0 && closed.length === book.chapters.length) {
    throw unsupported(
      phrase`${name} is protected by rights management (DRM).`,
      'Only the shop that sold it can open it.',
    );
  }
  const titles = await chapterTitles(archive, book.contents);
  const flow = new Flow(collector, true);
  for (const [index, chapter] of book.chapters.entries()) {
    const label = titles.get(chapter);
    if (encrypted.has(chapter)) collector.problem({ kind: 'protected-part', part: label ?? chapter });
    else if (!archive.has(chapter)) collector.problem({ kind: 'missing-part', part: label ?? chapter });
    else await readChapter(archive, chapter, flow, collector, label);
    flow.endPage(label);
    collector.progress('pages', index + 1, book.chapters.length);
  }
  return { format: 'epub', unit: 'chapter', ...(book.title === '' ? {} : { title: book.title }) };
}

async function readChapter(
  archive: Archive,
  chapter: string,
  flow: Flow,
  collector: Collector,
  label: string | undefined,
): Promise<void> {
  const reader = new HtmlReader(flow, true);
  await readPart(collector, chapter, async () => {
    for await (const text of decodeXml(archive.read(chapter))) reader.write(text);
  });
  reader.end();
  if (label !== undefined) flow.nameHeading(label);
}

/** Where the package file lies. */
async function rootOf(archive: Archive): Promise<string | undefined> {
  let root: string | undefined;
  await parseXml(archive.read('META-INF/container.xml'), {
    open(name, attributes) {
      if (name.endsWith('rootfile')) root ??= attributes['full-path'];
    },
  });
  return root ?? archive.names().find((name) => name.endsWith('.opf'));
}

async function readBook(archive: Archive, root: string): Promise<Book> {
  const items = new Map<string, { part: string; type: string; properties: string }>();
  const order: string[] = [];
  let title = '';
  let inTitle = false;
  await parseXml(archive.read(root), {
    open(name, { id = '', href = '', idref, properties = '', 'media-type': type = '' }) {
      const local = name.slice(name.indexOf(':') + 1);
      if (local === 'item') items.set(id, { part: resolvePart(root, decodeAddress(href)), type, properties });
      else if (local === 'itemref' && idref !== undefined) order.push(idref);
      else if (name === 'dc:title' && title === '') inTitle = true;
    },
    text: (text) => {
      if (inTitle) title += text;
    },
    close: (name) => {
      if (name === 'dc:title') inTitle = false;
    },
  });
  const all = [...items.values()];
  const contents =
    all.find(({ properties }) => properties.split(' ').includes('nav')) ?? all.find(({ type }) => type === NAVIGATION);
  return {
    title: oneLine(title),
    chapters: order.map((id) => items.get(id)?.part ?? `(${id})`),
    contents: contents?.part,
  };
}

/** Chapter -> its name in the table of contents: the first of those that lead into it. */
async function chapterTitles(archive: Archive, contents: string | undefined): Promise<Map<string, string>> {
  const titles = new Map<string, string>();
  if (contents === undefined) return titles;
  const note = (address: string, text: string) => {
    const part = resolvePart(contents, decodeAddress(address));
    const title = oneLine(text);
    if (title !== '' && !titles.has(part)) titles.set(part, title);
  };
  let text = '';
  let address: string | undefined;
  await parseXml(archive.read(contents), {
    open(name, { href, src }) {
      // EPUB 3 has links in a page, EPUB 2 labels before addresses.
      if (name === 'a' || name === 'text') text = '';
      if (name === 'a') address = href;
      if (name === 'content' && src !== undefined) note(src, text);
    },
    text: (piece) => {
      if (text.length < 1000) text += piece;
    },
    close(name) {
      if (name !== 'a' || address === undefined) return;
      note(address, text);
      address = undefined;
    },
  });
  return titles;
}

async function encryptedParts(archive: Archive): Promise<Set<string>> {
  const parts = new Set<string>();
  let method = '';
  await parseXml(archive.read('META-INF/encryption.xml'), {
    open(name, { Algorithm, URI }) {
      const local = name.slice(name.indexOf(':') + 1);
      if (local === 'EncryptionMethod') method = Algorithm ?? '';
      if (local === 'CipherReference' && URI !== undefined && !FONT_HIDING.test(method)) {
        parts.add(path.posix.normalize(decodeAddress(URI)));
      }
    },
  });
  return parts;
}

function decodeAddress(address: string): string {
  try {
    return decodeURIComponent(address);
  } catch {
    return address;
  }
}
