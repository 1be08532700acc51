/** The queue of downloads on a real HTTP server: one at a time, paused, resumed, given up, over a restart. */
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { CatalogEntry, DownloadStatus } from '../../contract/models.ts';
import { CATALOG } from './catalog.ts';
import { Downloads } from './downloads.ts';
import { ModelServer, modelBytes, sha256 } from './testing/model-server.ts';
import { nodeGet } from './testing/node-get.ts';

const BODY = modelBytes(200_000);
let folder: string;
let server: ModelServer;
let told: DownloadStatus[];
let arrived: number;
let downloads: Downloads;

const entry = (id: string): CatalogEntry => ({
  ...(CATALOG[0] as CatalogEntry),
  id,
  bytes: BODY.length,
  sha256: sha256(BODY),
  url: `https://huggingface.co/who/what/resolve/main/${id}.gguf`,
});

function open(): Downloads {
  downloads = new Downloads({
    folder,
    entries: [entry('a'), entry('b')],
    get: nodeGet,
    mirror: () => new URL(server.url).origin,
    changed: (status) => told.push(status),
    arrived: () => {
      arrived += 1;
    },
    log: () => undefined,
    limits: { backOffMs: [1], free: async () => 1e12 },
  });
  return downloads;
}

const states = (id: string) => told.filter(({ entryId }) => entryId === id).map(({ state }) => state);
const state = (id: string) => downloads.list().find(({ entryId }) => entryId === id)?.state;
const reaches = (id: string, wanted: DownloadStatus['state']) => vi.waitFor(() => expect(state(id)).toBe(wanted));
/** Sends the beginning and then nothing, until the connection ends. */
const hold = (until: number) => (_request: unknown, response: import('node:http').ServerResponse, from: number) => {
  server.head(response, from);
  response.write(BODY.subarray(from, until));
};
const hasReceived = (id: string, bytes: number) =>
  vi.waitFor(() => expect(readFileSync(join(folder, `${id}.gguf.download`)).length).toBe(bytes));

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'queue-'));
  server = new ModelServer(BODY);
  await server.listen();
  told = [];
  arrived = 0;
  open();
});
afterEach(async () => {
  await downloads.stop();
  server.close();
  rmSync(folder, { recursive: true, force: true });
});

describe('downloads', () => {
  it('are done one after the other, from the server that is set', async () => {
    server.answers.push(hold(1000));
    expect(downloads.start('a').state).toBe('running');
    expect(downloads.start('b').state).toBe('queued');
    await hasReceived('a', 1000);
    expect(server.ranges).toHaveLength(1);
    downloads.pause('a');
    await reaches('b', 'done');
    expect(state('a')).toBe('paused');
    downloads.start('a');
    await reaches('a', 'done');
    expect(server.ranges.at(-1)).toBe('bytes=1000-');
    expect(readFileSync(join(folder, 'a.gguf')).equals(BODY)).toBe(true);
    expect(readdirSync(folder).filter((name) => name.endsWith('.gguf'))).toEqual(['a.gguf', 'b.gguf']);
    expect(states('a')).toEqual(expect.arrayContaining(['running', 'paused', 'queued', 'verifying', 'done']));
    expect(arrived).toBe(2);
  });

  it('go on after the app was ended, and what was paused waits', async () => {
    server.answers.push(hold(5000));
    downloads.start('a');
    downloads.start('b');
    downloads.pause('b');
    await hasReceived('a', 5000);
    await downloads.stop();
    const again = open();
    server.answers.push(hold(9000));
    await again.restore();
    expect(again.list().map(({ entryId, state: now, received }) => [entryId, now, received])).toEqual([
      ['a', 'running', 5000],
      ['b', 'paused', 0],
    ]);
    await hasReceived('a', 9000);
    expect(server.ranges.at(-1)).toBe('bytes=5000-');
    again.pause('a');
    again.start('a');
    await reaches('a', 'done');
    expect(state('b')).toBe('paused');
  });

  it('that are given up leave nothing, and the next one begins', async () => {
    server.answers.push(hold(1000));
    downloads.start('a');
    downloads.start('b');
    await hasReceived('a', 1000);
    await downloads.cancel('a');
    await reaches('b', 'done');
    expect(existsSync(join(folder, 'a.gguf.download'))).toBe(false);
    expect(existsSync(join(folder, 'a.gguf.download.json'))).toBe(false);
    expect(downloads.list().map(({ entryId }) => entryId)).toEqual(['b']);
    expect(states('a').at(-1)).toBe('cancelled');
    await downloads.stop();
    await open().restore();
    expect(downloads.list()).toEqual([]);
  });

  it('that failed say why, let others go on, and can be tried again', async () => {
    server.answers.push((_request, response) => response.writeHead(404).end());
    downloads.start('a');
    downloads.start('b');
    await reaches('b', 'done');
    const failed = downloads.list().find(({ entryId }) => entryId === 'a');
    expect(failed).toMatchObject({ state: 'failed', error: { kind: 'download-failed' } });
    expect(failed?.error).not.toHaveProperty('detail');
    downloads.start('a');
    await reaches('a', 'done');
    expect(downloads.list().find(({ entryId }) => entryId === 'a')).not.toHaveProperty('error');
  });

  it('of nothing are refused', () => {
    expect(() => downloads.start('c')).toThrow(/no model "c"/);
  });

  it('say when a server is not safe to use', async () => {
    downloads = new Downloads({
      folder,
      entries: [entry('a')],
      get: nodeGet,
      mirror: () => 'http://example.org',
      changed: () => undefined,
      arrived: () => undefined,
      log: () => undefined,
    });
    downloads.start('a');
    await reaches('a', 'failed');
    expect(downloads.list()[0]?.error?.message).toMatch(/no https address/);
  });
});
