import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { OcrData } from '../../contract/library-documents.ts';
import type { HttpGet } from '../library/http.ts';
import { OcrLanguages } from './ocr-languages.ts';
import { temporaryFolder } from './testing/read.ts';

const folder = temporaryFolder();

function languages(name: string, get: HttpGet) {
  const told: OcrData[] = [];
  const log: string[] = [];
  const made = new OcrLanguages({
    folder: join(folder, name),
    get,
    changed: (data) => told.push(data),
    log: (line) => log.push(line),
  });
  const until = async (done: (data: OcrData) => boolean) => {
    for (let tries = 0; tries < 500; tries += 1) {
      const found = told.find(done);
      if (found) return found;
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    throw new Error('that was not told');
  };
  return { made, told, log, until };
}

/** A server that sends some bytes and then nothing, until the request is given up. */
const hanging: HttpGet = async (_url, _headers, signal) => ({
  status: 200,
  headers: {},
  body: (async function* () {
    yield Buffer.alloc(100_000, 'x');
    await new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('aborted'))));
  })(),
});

it('says what each language takes before it is fetched, and which are here', () => {
  const { made } = languages('some here', hanging);
  expect(made.list()).toEqual([
    { language: 'eng', bytes: 2_952_873, state: 'absent' },
    { language: 'chi_sim', bytes: 1_718_768, state: 'absent' },
  ]);
  mkdirSync(join(folder, 'some here'));
  writeFileSync(join(folder, 'some here', 'eng.traineddata'), 'x');
  expect(made.list().map(({ state }) => state)).toEqual(['here', 'absent']);
});

it('says that there is no network, and tries again when asked', async () => {
  const { made, told, log, until } = languages('offline', async () => {
    throw new Error('net::ERR_INTERNET_DISCONNECTED');
  });
  for (const tries of [1, 2]) {
    told.length = 0;
    made.fetch('eng');
    expect(told).toEqual([expect.objectContaining({ language: 'eng', state: 'fetching', share: 0 })]);
    expect(told[0]).not.toHaveProperty('error');
    const { error, state } = await until((data) => data.error !== undefined);
    expect(state).toBe('absent');
    expect(error).toMatchObject({
      kind: 'download-failed',
      message: expect.stringContaining('seems to be offline'),
      action: expect.stringContaining(join(folder, 'offline', 'eng.traineddata')),
    });
    expect(log).toHaveLength(tries);
  }
});

it('stops fetching when asked, without an error', async () => {
  const { made, until, log } = languages('stopped', hanging);
  made.fetch('chi_sim');
  made.fetch('chi_sim');
  await until(({ state }) => state === 'fetching');
  made.stop('chi_sim');
  expect(await until(({ state }) => state === 'absent')).toEqual({
    language: 'chi_sim',
    bytes: 1_718_768,
    state: 'absent',
  });
  expect(log).toEqual([]);
});
