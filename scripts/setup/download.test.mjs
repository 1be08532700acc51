/** Downloads against a real HTTP server of this process, directly and through a real CONNECT proxy. */
import { createHash, randomBytes } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { checkRoom, download } from './download.mjs';
import { get } from './http-get.mjs';

const BODY = randomBytes(300_000);
const SHA256 = createHash('sha256').update(BODY).digest('hex');
const BYTES = BODY.length;

/** @type {{ ranges: (string | undefined)[], proxied: string[], authorization: string | undefined, ignoreRange: boolean, cutAt: number }} */
let seen;
let folder = '';
let file = '';
let url = '';
let proxyUrl = '';

const server = createServer((request, response) => {
  if (request.url === '/moved') return response.writeHead(302, { location: '/file' }).end();
  if (request.url === '/loop') return response.writeHead(302, { location: '/loop' }).end();
  if (request.url === '/silent') return undefined;
  if (request.url !== '/file') return response.writeHead(404).end('no such file');
  seen.ranges.push(request.headers.range);
  const from = seen.ignoreRange ? 0 : Number(/^bytes=(\d+)-$/.exec(request.headers.range ?? '')?.[1] ?? 0);
  const headers = from > 0 ? { 'content-range': `bytes ${from}-${BYTES - 1}/${BYTES}` } : {};
  response.writeHead(from > 0 ? 206 : 200, { ...headers, 'content-length': BYTES - from });
  if (seen.cutAt === 0) return response.end(BODY.subarray(from));
  return response.write(BODY.subarray(from, seen.cutAt), () => setTimeout(() => response.destroy(), 200));
});
const proxy = createServer().on('connect', (request, socket, head) => {
  seen.proxied.push(request.url ?? '');
  seen.authorization = request.headers['proxy-authorization'];
  const [host = '', port = ''] = (request.url ?? '').split(':');
  // A name that only the proxy knows shows that the client left the look-up to it.
  const upstream = connect(Number(port), host === 'inside.invalid' ? '127.0.0.1' : host, () => {
    socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
    upstream.write(head);
    upstream.pipe(socket).pipe(upstream);
  });
});

/** @param {import('node:http').Server} listener @returns {Promise<number>} */
const listen = (listener) =>
  new Promise((resolve) => {
    listener.listen(0, '127.0.0.1', () => {
      const address = listener.address();
      resolve(typeof address === 'object' && address !== null ? address.port : 0);
    });
  });

beforeAll(async () => {
  url = `http://127.0.0.1:${await listen(server)}/file`;
  proxyUrl = `http://user:p%40ss@127.0.0.1:${await listen(proxy)}`;
});
afterAll(() => {
  for (const listener of [server, proxy]) {
    listener.closeAllConnections();
    listener.close();
  }
});
beforeEach(() => {
  seen = { ranges: [], proxied: [], authorization: undefined, ignoreRange: false, cutAt: 0 };
  folder = mkdtempSync(join(tmpdir(), 'download-'));
  file = join(folder, 'models', 'file.bin');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const wanted = () => ({ url, file, bytes: BYTES, sha256: SHA256, env: {} });

test('a whole file appears under its name, with progress up to 1', async () => {
  /** @type {number[]} */
  const progress = [];
  await download({ ...wanted(), onProgress: (fraction) => progress.push(fraction) });
  expect(readFileSync(file).equals(BODY)).toBe(true);
  expect(existsSync(`${file}.part`)).toBe(false);
  expect(progress.at(-1)).toBe(1);
});

test('a broken connection leaves a part that the next attempt continues', async () => {
  seen.cutAt = 100_000;
  await expect(download(wanted())).rejects.toThrow();
  expect(existsSync(file)).toBe(false);
  const have = readFileSync(`${file}.part`).length;
  expect(have).toBeGreaterThan(0);
  seen.cutAt = 0;
  await download(wanted());
  expect(seen.ranges).toEqual([undefined, `bytes=${have}-`]);
  expect(readFileSync(file).equals(BODY)).toBe(true);
});

test('a host that ignores ranges is read from the start', async () => {
  seen.cutAt = 100_000;
  await expect(download(wanted())).rejects.toThrow();
  seen.cutAt = 0;
  seen.ignoreRange = true;
  await download(wanted());
  expect(readFileSync(file).equals(BODY)).toBe(true);
});

test('a finished part is checked without asking the network', async () => {
  await download(wanted());
  rmSync(file);
  writeFileSync(`${file}.part`, BODY);
  await download({ ...wanted(), url: 'http://127.0.0.1:1/' });
  expect(readFileSync(file).equals(BODY)).toBe(true);
});

test('a wrong file is refused and not kept', async () => {
  await expect(download({ ...wanted(), sha256: '0'.repeat(64) })).rejects.toThrow(/SHA-256/);
  expect(existsSync(file)).toBe(false);
  expect(existsSync(`${file}.part`)).toBe(false);
});

test('a file of another size is refused', async () => {
  await expect(download({ ...wanted(), bytes: 1000 })).rejects.toThrow(/more than the 1000 bytes/);
  await expect(download({ ...wanted(), bytes: BYTES + 1 })).rejects.toThrow(`${BYTES} bytes, expected ${BYTES + 1}`);
  expect(existsSync(file)).toBe(false);
});

test('an answer that is no file names the status', async () => {
  await expect(download({ ...wanted(), url: url.replace('file', 'nothing') })).rejects.toThrow('404 Not Found');
});

test('redirects are followed, endless ones are not', async () => {
  await download({ ...wanted(), url: url.replace('file', 'moved') });
  expect(readFileSync(file).equals(BODY)).toBe(true);
  await expect(get(url.replace('file', 'loop'), { env: {} })).rejects.toThrow('redirects more than 5 times');
});

test('a host that stays silent is given up after the limit', async () => {
  const started = Date.now();
  await expect(get(url.replace('file', 'silent'), { env: {}, connectMs: 200 })).rejects.toThrow(
    'did not answer within 0.2 s',
  );
  expect(Date.now() - started).toBeLessThan(5_000);
});

test('a proxy is used with its credentials, and looks up names itself', async () => {
  const inside = url.replace('127.0.0.1', 'inside.invalid');
  await download({ ...wanted(), url: inside, env: { http_proxy: proxyUrl } });
  expect(readFileSync(file).equals(BODY)).toBe(true);
  expect(seen.proxied).toEqual([new URL(inside).host]);
  expect(seen.authorization).toBe(`Basic ${Buffer.from('user:p@ss').toString('base64')}`);
});

test('hosts of NO_PROXY are asked directly', async () => {
  await download({ ...wanted(), env: { HTTP_PROXY: proxyUrl, NO_PROXY: 'localhost,127.0.0.1' } });
  expect(seen.proxied).toEqual([]);
});

test('a disk without room is noticed before anything is fetched', () => {
  expect(() => checkRoom(folder, 2 ** 60)).toThrow(/MB free; \d+ MB are needed/);
});
