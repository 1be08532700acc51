/** Single downloads from a real HTTP server of this process that behaves well, and badly in every way that is reported. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { AppError } from '../../contract/errors.ts';
import { type DownloadOptions, download } from './download.ts';
import { ModelServer, modelBytes, sha256 } from './testing/model-server.ts';
import { nodeGet } from './testing/node-get.ts';

const BODY = modelBytes(300_000);
const SUM = sha256(BODY);

let folder: string;
let file: string;
let server: ModelServer;
const seen = { received: [] as number[], waiting: [] as string[], verified: 0 };

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'downloads 下载 '));
  file = join(folder, 'model.gguf');
  server = new ModelServer(BODY);
  await server.listen();
  seen.received = [];
  seen.waiting = [];
  seen.verified = 0;
});
afterEach(() => {
  server.close();
  rmSync(folder, { recursive: true, force: true });
});

function fetchIt(more: Partial<DownloadOptions> & { sha256?: string | null; bytes?: number } = {}): Promise<void> {
  const { sha256: sum = SUM, bytes = BODY.length, ...options } = more;
  return download({
    get: nodeGet,
    wanted: { url: server.url, bytes, ...(sum === null ? {} : { sha256: sum }) },
    file,
    signal: new AbortController().signal,
    onReceived: (received) => seen.received.push(received),
    onVerifying: () => {
      seen.verified += 1;
    },
    onWaiting: (error) => seen.waiting.push(error.message),
    backOffMs: [1, 1, 1],
    stallMs: 5000,
    free: async () => 1e12,
    ...options,
  });
}

async function failure(work: Promise<unknown>): Promise<AppError> {
  return work.then(
    () => Promise.reject(new Error('it did not fail')),
    (error: AppError) => error,
  );
}

const whole = () => readFileSync(file).equals(BODY);
const partLength = () => readFileSync(`${file}.download`).length;

describe('a download', () => {
  it('arrives whole, is checked, and leaves nothing else', async () => {
    await fetchIt();
    expect(whole()).toBe(true);
    expect(readdirSync(folder)).toEqual(['model.gguf']);
    expect(server.ranges).toEqual([undefined]);
    expect(seen.received.at(-1)).toBe(BODY.length);
    expect(seen.verified).toBe(1);
    expect(seen.waiting).toEqual([]);
  });

  it('goes on after dropped connections, from where it was', async () => {
    server.answers.push(server.cutAt(100_000), server.cutAt(220_000));
    await fetchIt();
    expect(whole()).toBe(true);
    expect(server.ranges[0]).toBeUndefined();
    // What had arrived by then depends on the sockets; each request begins at a later byte.
    const starts = server.ranges.slice(1).map((range) => Number(/\d+/.exec(range ?? '')?.[0]));
    expect(starts[0]).toBeGreaterThan(0);
    expect(starts[1]).toBeGreaterThan(starts[0] ?? 0);
    expect(seen.waiting).toHaveLength(2);
    expect(seen.waiting[0]).toMatch(/connection to 127\.0\.0\.1:\d+ was lost/);
  });

  it('goes on in another run of the app, with the checksum of all of it', async () => {
    server.answers.push(server.cutAt(123_456));
    await expect(fetchIt({ backOffMs: [] })).rejects.toMatchObject({ kind: 'download-failed' });
    expect(existsSync(file)).toBe(false);
    const have = partLength();
    expect(have).toBeGreaterThan(0);
    await fetchIt();
    expect(server.ranges.at(-1)).toBe(`bytes=${have}-`);
    expect(whole()).toBe(true);
  });

  it('gives up after tries without anything new, and keeps what it has', async () => {
    server.answers.push(server.cutAt(50_000), ...Array<typeof drop>(10).fill(drop));
    const error = await failure(fetchIt());
    expect(error.kind).toBe('download-failed');
    expect(error.action).toMatch(/is kept/);
    // One that brought something, the wait after it, and two more.
    expect(server.ranges).toHaveLength(4);
    expect(partLength()).toBe(50_000);
  });

  it('starts anew where the server does not go on', async () => {
    server.answers.push(server.cutAt(100_000), (request, response) => server.send(request, response, 0));
    await fetchIt();
    expect(whole()).toBe(true);
  });

  it('starts anew where the range lies behind the file, or another range comes', async () => {
    server.answers.push(
      server.cutAt(100_000),
      (_request, response) => response.writeHead(416).end(),
      server.cutAt(100_000),
      (request, response, from) => server.send(request, response, from + 1),
    );
    await fetchIt({ backOffMs: [1, 1, 1, 1] });
    expect(whole()).toBe(true);
  });

  it('never joins halves of two files: a changed ETag begins anew', async () => {
    const other = modelBytes(BODY.length);
    server.answers.push((request, response, from) => {
      server.cutAt(100_000)(request, response, from);
      server.body = other;
      server.etag = '"two"';
    });
    await fetchIt({ sha256: null });
    expect(readFileSync(file).equals(other)).toBe(true);
  });

  it('never joins halves of two files: nor where If-Range is ignored', async () => {
    const other = modelBytes(BODY.length);
    server.answers.push(
      (request, response, from) => {
        server.cutAt(100_000)(request, response, from);
        server.body = other;
        server.etag = '"two"';
      },
      (_request, response) => {
        server.head(response, 100_000);
        response.end(other.subarray(100_000));
      },
    );
    await fetchIt({ sha256: null });
    expect(readFileSync(file).equals(other)).toBe(true);
  });

  it('does not trust a part of another file', async () => {
    server.answers.push(server.cutAt(100_000));
    await failure(fetchIt({ backOffMs: [] }));
    server.body = modelBytes(BODY.length);
    await fetchIt({ sha256: sha256(server.body) });
    expect(readFileSync(file).equals(server.body)).toBe(true);
  });

  it('stops at once when asked and goes on later', async () => {
    const stop = new AbortController();
    server.answers.push((_request, response, from) => {
      server.head(response, from);
      response.write(BODY.subarray(from, 80_000));
    });
    const error = await failure(
      fetchIt({ signal: stop.signal, onReceived: (received) => received >= 80_000 && stop.abort() }),
    );
    expect(error.kind).toBe('cancelled');
    expect(partLength()).toBe(80_000);
    await fetchIt();
    expect(server.ranges.at(-1)).toBe('bytes=80000-');
    expect(whole()).toBe(true);
  });

  it('gives up a silent server', async () => {
    server.answers.push(
      ...Array<(typeof server)['send']>(9).fill((_request, response, from) => server.head(response, from)),
    );
    const error = await failure(fetchIt({ stallMs: 100, backOffMs: [1] }));
    expect(error.message).toMatch(/has sent nothing/);
    expect(server.ranges).toHaveLength(2);
  });

  it('is done at once where the file is there, and never replaces another one', async () => {
    await fetchIt();
    await fetchIt();
    expect(server.ranges).toHaveLength(1);
    writeFileSync(file, 'my own file');
    expect(await failure(fetchIt())).toMatchObject({ kind: 'bad-input' });
    expect(readFileSync(file, 'utf8')).toBe('my own file');
    writeFileSync(file, modelBytes(BODY.length));
    expect(await failure(fetchIt())).toMatchObject({ kind: 'bad-input' });
  });
});

describe('a server that sends something else', () => {
  const nothingWhole = () => expect(existsSync(file)).toBe(false);

  it('is found out by the checksum, and the wrong file deleted', async () => {
    const wrong = Buffer.from(BODY);
    wrong[200_000] = (wrong[200_000] ?? 0) ^ 1;
    server.body = wrong;
    const error = await failure(fetchIt());
    expect(error.message).toMatch(/checksum/);
    expect(error.detail).toContain(sha256(wrong));
    expect(readdirSync(folder)).toEqual([]);
  });

  it.each([
    ['a page', { 'content-type': 'text/html; charset=utf-8' }, '<!doctype html><title>Login</title>', /web page/],
    ['a page that says it is a file', {}, '<html>', /web page/],
    ['an LFS pointer', {}, 'version https://git-lfs.github.com/spec/v1\n', /no GGUF/],
    ['packed bytes', { 'content-encoding': 'gzip' }, gzipSync(BODY), /no GGUF/],
  ])('is refused for %s', async (_name, headers, body, message) => {
    server.answers.push((_request, response) => response.writeHead(200, headers).end(body));
    const error = await failure(fetchIt());
    expect(error.kind).toBe('download-failed');
    expect(error.message).toMatch(message);
    nothingWhole();
    expect(server.ranges).toHaveLength(1);
    await fetchIt();
    expect(whole()).toBe(true);
  });

  it('is refused for a length that is not the model’s, before anything is taken', async () => {
    server.body = modelBytes(BODY.length + 1);
    expect((await failure(fetchIt())).message).toMatch(/300001 bytes; the model has 300000/);
    expect(seen.received.at(-1)).toBe(0);
    nothingWhole();
  });

  it('is stopped when it sends without end', async () => {
    let sent = 0;
    server.answers.push((_request, response) => {
      response.writeHead(200);
      const more = () => {
        sent += 65_536;
        if (!response.destroyed) response.write(sent === 65_536 ? modelBytes(65_536) : Buffer.alloc(65_536), more);
      };
      more();
    });
    expect((await failure(fetchIt())).message).toMatch(/more than the 300000 bytes/);
    expect(sent).toBeLessThan(20_000_000);
    nothingWhole();
  });

  it('is asked for the rest where it ends early without saying so', async () => {
    server.answers.push((_request, response) => {
      response.writeHead(200, { etag: server.etag });
      response.end(BODY.subarray(0, 70_000)); // chunked: a proper end
    });
    await fetchIt();
    expect(server.ranges.at(-1)).toBe('bytes=70000-');
    expect(whole()).toBe(true);
  });

  it.each([
    [401, /without a login/],
    [403, /without a login/],
    [404, /no longer has/],
    [407, /proxy.*password/],
    [400, /cannot send/],
  ])('with status %d is not asked twice', async (status, message) => {
    server.answers.push((_request, response) => response.writeHead(status).end('no'));
    expect((await failure(fetchIt())).message).toMatch(message);
    expect(server.ranges).toHaveLength(1);
  });

  it.each([408, 429, 500, 503])('with status %d is asked again', async (status) => {
    server.answers.push((_request, response) => response.writeHead(status, { 'retry-after': '0' }).end('later'));
    await fetchIt();
    expect(whole()).toBe(true);
    expect(seen.waiting).toHaveLength(1);
  });
});

describe('redirects', () => {
  const to =
    (location: string, more = {}) =>
    (_request: unknown, response: import('node:http').ServerResponse) =>
      response.writeHead(302, { location, ...more }).end();

  it('are followed, and what the hub says of the file on the way counts', async () => {
    server.answers.push(to('/cdn/x', { 'x-linked-etag': `"${SUM}"`, 'x-linked-size': String(BODY.length) }));
    await fetchIt({ sha256: null });
    expect(whole()).toBe(true);
    server.answers.push(to('/cdn/x', { 'x-linked-etag': `"${'0'.repeat(64)}"` }));
    rmSync(file);
    expect((await failure(fetchIt())).message).toMatch(/another one/);
    server.answers.push(to('/cdn/x', { 'x-linked-etag': `"${'0'.repeat(64)}"` }));
    expect((await failure(fetchIt({ sha256: null }))).message).toMatch(/checksum/);
    server.answers.push(to('/cdn/x', { 'x-linked-size': '5' }));
    expect((await failure(fetchIt())).message).toMatch(/5 bytes/);
  });

  it.each([
    'http://example.org/model.gguf',
    'ftp://127.0.0.1/x',
    'file:///etc/passwd',
    'http://user:pass@127.0.0.1/x',
    '//[',
  ])('to %s are not', async (location) => {
    server.answers.push(to(location));
    expect((await failure(fetchIt())).message).toMatch(/not safe/);
  });

  it('in a circle end', async () => {
    server.answers.push(...Array(9).fill(to('/model.gguf')));
    expect((await failure(fetchIt())).message).toMatch(/circles/);
    expect(server.ranges).toHaveLength(6);
  });
});

describe('the network', () => {
  it.each([
    ['getaddrinfo ENOTFOUND huggingface.co', /offline/],
    ['net::ERR_INTERNET_DISCONNECTED', /offline/],
    ['net::ERR_PROXY_CONNECTION_FAILED', /proxy/],
    ['net::ERR_CERT_AUTHORITY_INVALID', /certificate/],
    ['net::ERR_CONNECTION_RESET', /lost/],
  ])('that answers %s is described in words', async (reason, message) => {
    const get = () => Promise.reject(new Error(reason));
    const error = await failure(fetchIt({ get, backOffMs: [] }));
    expect(error.message).toMatch(message);
    expect(error.action).toBeDefined();
  });

  it('is not asked for anything but https', async () => {
    const wanted = { url: 'http://example.org/model.gguf', bytes: 5 };
    expect(await failure(fetchIt({ wanted }))).toMatchObject({ kind: 'bad-input' });
  });
});

describe('the disk', () => {
  it('is asked before anything is fetched', async () => {
    const error = await failure(fetchIt({ free: async () => BODY.length }));
    expect(error.kind).toBe('disk-full');
    expect(error.message).toMatch(/0\.00 GB free; the download needs 0\.27 GB/);
    expect(server.ranges).toEqual([]);
    expect(existsSync(file)).toBe(false);
  });

  it.runIf(process.getuid?.() === 0 && process.platform === 'linux')(
    'that becomes full keeps what is there; with room again it goes on',
    async () => {
      const small = join(folder, 'small');
      mkdirSync(small);
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=160k', 'tmpfs', small]);
      try {
        const target = { file: join(small, 'model.gguf') };
        const error = await failure(fetchIt(target));
        expect(error.kind).toBe('disk-full');
        expect(error.action).toMatch(/is kept/);
        expect(readdirSync(small).sort()).toEqual(['model.gguf.download', 'model.gguf.download.json']);
        execFileSync('mount', ['-o', 'remount,size=2m', small]);
        await fetchIt(target);
        expect(readFileSync(target.file).equals(BODY)).toBe(true);
        expect(server.ranges.at(-1)).toMatch(/^bytes=[1-9]\d*-$/);
      } finally {
        execFileSync('umount', [small]);
      }
    },
  );

  it('that cannot be written is said so', async () => {
    writeFileSync(join(folder, 'blocked'), '');
    expect(await failure(fetchIt({ file: join(folder, 'blocked', 'model.gguf') }))).toMatchObject({
      kind: 'storage-failed',
    });
  });
});

function drop(_request: unknown, response: import('node:http').ServerResponse): void {
  response.destroy();
}
