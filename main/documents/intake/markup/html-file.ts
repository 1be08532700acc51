/** Reads a web page that was saved as a file. Nothing that it refers to is fetched. */
import type { Collector, Facts } from '../collector.ts';
import { Flow } from '../flow.ts';
import type { Decoded } from '../text/encoding.ts';
import { noteEncoding } from '../text/text.ts';
import { HtmlReader } from './html.ts';
import { TooDeep } from './xml.ts';

const CHUNK = 64 * 1024;

/** The encoding that a page states about itself in its first kilobyte. */
export function statedEncoding(bytes: Uint8Array): string | undefined {
  const start = Buffer.from(bytes.subarray(0, 1024)).toString('latin1');
  return /<meta[^>]+charset\s*=\s*["']?\s*([\w.:-]+)/i.exec(start)?.[1];
}

export function readHtml(decoded: Decoded, collector: Collector): Facts {
  noteEncoding(decoded, collector);
  const flow = new Flow(collector, false);
  const reader = new HtmlReader(flow, /^\s*(?:<\?xml|<!DOCTYPE[^>]*XHTML)/i.test(decoded.text.slice(0, 500)));
  try {
    for (let at = 0; at < decoded.text.length; at += CHUNK) reader.write(decoded.text.slice(at, at + CHUNK));
    reader.end();
  } catch (error) {
    if (!(error instanceof TooDeep)) throw error;
    collector.problem({ kind: 'cut', limit: 'depth' });
  }
  flow.endPage();
  const { title } = reader;
  return { format: 'html', unit: 'part', encoding: decoded.encoding, ...(title ? { title } : {}) };
}
