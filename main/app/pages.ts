/**
 * Serves the window's page from its folder as app://shadownpu/. A scheme of our own instead of file://, so that a
 * page has an origin, gets its security policy by header and cannot reach any other file of the disk.
 */
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { protocol } from 'electron';
import { fileOf, ORIGIN, SCHEME } from './page-files.ts';

export const START_PAGE = `${ORIGIN}/index.html`;
/** For a further window: it begins with an empty chat. */
export const MORE_PAGE = `${START_PAGE}#more`;

const HEADERS = {
  'Content-Security-Policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'none'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  'X-Content-Type-Options': 'nosniff',
  'Cache-Control': 'no-cache',
};

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
};

/** To be called before Electron is ready. */
export function declareScheme(): void {
  protocol.registerSchemesAsPrivileged([{ scheme: SCHEME, privileges: { standard: true, secure: true } }]);
}

/** To be called once Electron is ready. */
export function servePages(root: string): void {
  // `handle` came with Electron 25; its forerunner is still there in 45 but deprecated.
  if (typeof protocol.handle === 'function') {
    protocol.handle(SCHEME, async (request) => {
      const page = await read(root, request.url);
      return new Response(page.data, { status: page.status, headers: { ...HEADERS, 'Content-Type': page.type } });
    });
    return;
  }
  protocol.registerBufferProtocol(SCHEME, (request, callback) => {
    void read(root, request.url).then((page) => {
      // mimeType is what the buffer protocol goes by; a Content-Type header alone is not read.
      callback({
        statusCode: page.status,
        mimeType: page.type.split(';')[0] ?? '',
        charset: 'utf-8',
        headers: HEADERS,
        data: page.data,
      });
    });
  });
}

interface Page {
  status: number;
  type: string;
  data: Buffer<ArrayBuffer>;
}

async function read(root: string, url: string): Promise<Page> {
  const file = fileOf(root, url);
  const type = file && TYPES[path.extname(file).toLowerCase()];
  if (!file || !type || !existsSync(file)) return { status: 404, type: 'text/plain', data: Buffer.from('Not found') };
  return { status: 200, type, data: Buffer.from(await readFile(file)) };
}
