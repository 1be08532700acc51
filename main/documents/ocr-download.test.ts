import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import type { HttpGet } from '../library/http.ts';
import { fetchOcrLanguage, hasOcrLanguage, ocrLanguageBytes } from './ocr-download.ts';
import { temporaryFolder } from './testing/read.ts';

const folder = temporaryFolder();
const packed = readFileSync(
  createRequire(__filename).resolve('@tesseract.js-data/chi_sim/4.0.0_best_int/chi_sim.traineddata.gz'),
);

/** A tar archive of some members, as npm packs it. */
function tar(members: Record<string, Buffer>): Buffer {
  const blocks = Object.entries(members).flatMap(([name, content]) => {
    const header = Buffer.alloc(512);
    header.write(name);
    header.write(content.length.toString(8).padStart(11, '0'), 124);
    return [header, content, Buffer.alloc((512 - (content.length % 512)) % 512)];
  });
  return gzipSync(Buffer.concat([...blocks, Buffer.alloc(1024)]), { level: 1 });
}

const right = { 'package/4.0.0_best_int/chi_sim.traineddata.gz': packed, 'package/4.0.0/other.gz': packed };

/** A server that sends `bytes` in pieces; `sent` counts them. */
function server(bytes: Buffer, status = 200): { get: HttpGet; sent: () => number } {
  let sent = 0;
  const get: HttpGet = async (_url, _headers, signal) => ({
    status,
    headers: {},
    body: (async function* () {
      for (let at = 0; at < bytes.length && !signal.aborted; at += 65_536) {
        sent += 1;
        yield bytes.subarray(at, at + 65_536);
        await new Promise((resolve) => setImmediate(resolve));
      }
    })(),
  });
  return { get, sent: () => sent };
}

describe('language data', () => {
  it('is fetched, checked and stored; the rest of the package is left', async () => {
    const where = join(folder, 'fetched');
    const shares: number[] = [];
    const large = tar({ ...right, 'package/large': Buffer.alloc(20_000_000, packed) });
    const { get, sent } = server(large);
    expect(hasOcrLanguage(where, 'chi_sim')).toBe(false);
    const { signal } = new AbortController();
    await fetchOcrLanguage(where, 'chi_sim', { get, signal, onProgress: (share) => shares.push(share) });
    expect(hasOcrLanguage(where, 'chi_sim')).toBe(true);
    expect(readFileSync(join(where, 'chi_sim.traineddata')).equals(gunzipSync(packed))).toBe(true);
    expect(shares.at(-1)).toBe(1);
    expect(sent()).toBeLessThan(large.length / 65_536 / 2);
    expect(packed.length).toBe(ocrLanguageBytes('chi_sim'));
  });

  it.each([
    [
      'of another content',
      tar({ 'package/4.0.0_best_int/chi_sim.traineddata.gz': gzipSync('other') }),
      200,
      'checksum',
    ],
    ['without what is wanted', tar({ 'package/x': packed }), 200, 'no language data'],
    ['cut short', tar(right).subarray(0, 500_000), 200, 'was lost'],
    ['that is none', Buffer.from('<html>'), 200, 'no language data'],
    ['that is not there', Buffer.from(''), 404, 'no longer has this file (404)'],
    ['that cannot be had now', Buffer.from(''), 503, 'cannot send the file now (503)'],
  ])('from a package %s is not stored', async (_, bytes, status, why) => {
    const where = join(folder, 'wrong');
    const { signal } = new AbortController();
    const fetching = fetchOcrLanguage(where, 'chi_sim', { get: server(bytes, status).get, signal });
    await expect(fetching).rejects.toMatchObject({
      kind: 'download-failed',
      message: expect.stringContaining(why),
      action: expect.stringContaining(join(where, 'chi_sim.traineddata')),
    });
    expect(existsSync(where)).toBe(false);
  });

  it.each([
    ['net::ERR_PROXY_CONNECTION_FAILED', 'The proxy of this computer'],
    ['net::ERR_CERT_AUTHORITY_INVALID', 'The certificate of registry.npmjs.org'],
    ['net::ERR_INTERNET_DISCONNECTED', 'seems to be offline'],
    ['net::ERR_CONNECTION_RESET', 'was lost'],
  ])('that cannot be had because of %s says so', async (code, why) => {
    const get: HttpGet = () => Promise.reject(new Error(code));
    const fetching = fetchOcrLanguage(join(folder, 'none'), 'eng', { get, signal: new AbortController().signal });
    await expect(fetching).rejects.toMatchObject({
      kind: 'download-failed',
      message: expect.stringContaining(why),
      action: expect.stringMatching(/^Check the network and try again, or copy/),
    });
  });

  it('that cannot be stored says where, and leaves nothing', async () => {
    const where = join(folder, 'taken');
    // A folder stands where the file is to be.
    mkdirSync(join(where, 'chi_sim.traineddata', 'inner'), { recursive: true });
    const { signal } = new AbortController();
    const fetching = fetchOcrLanguage(where, 'chi_sim', { get: server(tar(right)).get, signal });
    await expect(fetching).rejects.toMatchObject({ kind: 'storage-failed', message: expect.stringContaining(where) });
    expect(readdirSync(where)).toEqual(['chi_sim.traineddata']);
  });

  it('can be stopped', async () => {
    const abort = new AbortController();
    const { get } = server(tar(right));
    const fetching = fetchOcrLanguage(join(folder, 'stopped'), 'chi_sim', {
      get,
      signal: abort.signal,
      onProgress: () => abort.abort(),
    });
    await expect(fetching).rejects.toMatchObject({ kind: 'cancelled' });
  });
});
