/**
 * Reads XML as a stream of events. Nothing is expanded but the five entities of XML and numbers, so that entity bombs stay
 * what they are: text. Prefixes are those of this file, whatever the document calls its namespaces.
 */
import { Parser } from 'htmlparser2';
import iconv from 'iconv-lite';
import { MOST_DEPTH } from '../limits.ts';
import { markOf } from '../text/encoding.ts';

export type Attributes = Readonly<Record<string, string>>;

export interface XmlHandler {
  open?(name: string, attributes: Attributes): void;
  text?(text: string): void;
  close?(name: string): void;
}

/** Nested deeper than MOST_DEPTH. */
export class TooDeep extends Error {}

/** Ends of namespace names, transitional and strict -> prefix. */
const PREFIXES: readonly [end: string, prefix: string][] = [
  ['/wordprocessingml/2006/main', 'w'],
  ['/wordprocessingml/main', 'w'],
  ['/presentationml/2006/main', 'p'],
  ['/presentationml/main', 'p'],
  ['/drawingml/2006/main', 'a'],
  ['/drawingml/main', 'a'],
  ['/drawingml/2006/diagram', 'dgm'],
  ['/officeDocument/2006/relationships', 'r'],
  ['/officeDocument/relationships', 'r'],
  ['/markup-compatibility/2006', 'mc'],
  ['opendocument:xmlns:office:1.0', 'office'],
  ['opendocument:xmlns:text:1.0', 'text'],
  ['opendocument:xmlns:table:1.0', 'table'],
  ['opendocument:xmlns:style:1.0', 'style'],
  ['opendocument:xmlns:drawing:1.0', 'draw'],
  ['opendocument:xmlns:xsl-fo-compatible:1.0', 'fo'],
  ['opendocument:xmlns:manifest:1.0', 'manifest'],
  ['/dc/elements/1.1/', 'dc'],
];

/** Throws TooDeep, and what the handler and the source throw. */
export async function parseXml(source: AsyncIterable<Uint8Array>, handler: XmlHandler): Promise<void> {
  const names = new Names();
  let depth = 0;
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        depth += 1;
        if (depth > MOST_DEPTH) throw new TooDeep();
        names.learn(attributes);
        handler.open?.(names.element(name), names.attributes(attributes));
      },
      ontext: (text) => handler.text?.(text),
      onclosetag(name) {
        depth -= 1;
        handler.close?.(names.element(name));
      },
    },
    { xmlMode: true, decodeEntities: true },
  );
  for await (const text of decodeXml(source)) parser.write(text);
  parser.end();
}

/** XML is UTF-8 unless a mark or its first line says otherwise. */
export async function* decodeXml(source: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  let decoder: ReturnType<typeof iconv.getDecoder> | undefined;
  for await (const chunk of source) {
    decoder ??= iconv.getDecoder(encodingOf(chunk));
    yield decoder.write(chunk as Buffer);
  }
  yield decoder?.end() ?? '';
}

function encodingOf(start: Uint8Array): string {
  const mark = markOf(start);
  if (mark !== undefined) return mark;
  const declaration = Buffer.from(start.subarray(0, 200)).toString('latin1');
  const stated = /^\s*<\?xml[^>]*encoding=["']([\w.-]+)["']/.exec(declaration)?.[1];
  return stated !== undefined && iconv.encodingExists(stated) ? stated : 'utf-8';
}

/** Turns a document's prefixes into ours. */
class Names {
  readonly #prefixes = new Map<string, string>();
  readonly #known = new Map<string, string>();

  /** Looks for declarations. A prefix means the same in a whole document, as every writer of these formats has it. */
  learn(attributes: Attributes): void {
    for (const key in attributes) {
      if (!key.startsWith('xmlns')) continue;
      const value = attributes[key] ?? '';
      const ours = PREFIXES.find(([end]) => value.endsWith(end))?.[1];
      if (ours === undefined) continue;
      this.#prefixes.set(key === 'xmlns' ? '' : key.slice(6), ours);
      this.#known.clear();
    }
  }

  element(name: string): string {
    let known = this.#known.get(name);
    if (known === undefined) {
      known = this.#translate(name, '');
      this.#known.set(name, known);
    }
    return known;
  }

  attributes(attributes: Attributes): Attributes {
    const translated: Record<string, string> = {};
    for (const key in attributes) translated[this.#translate(key)] = attributes[key] ?? '';
    return translated;
  }

  #translate(name: string, withoutPrefix?: string): string {
    const colon = name.indexOf(':');
    const prefix = colon < 0 ? withoutPrefix : name.slice(0, colon);
    const ours = prefix === undefined ? undefined : this.#prefixes.get(prefix);
    return ours === undefined ? name : `${ours}:${name.slice(colon + 1)}`;
  }
}
