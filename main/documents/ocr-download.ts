/** Language data for the recognition of text in scanned pages: where it comes from, and how it is fetched. */
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { createGunzip, gunzip } from 'node:zlib';
import type { OcrLanguage } from '../../contract/documents.ts';
import { AppError } from '../../contract/errors.ts';
import { phrase } from '../../contract/phrase.ts';
import { networkFailure, PassingFailure, statusFailure, wrongSum } from '../library/download-errors.ts';
import { getFollowing, type HttpGet } from '../library/http.ts';
import { writeWhole } from '../write-whole.ts';

interface Source {
  /** Package of the Tesseract.js project. What is wanted comes first in it, so that the rest is not fetched. */
  url: string;
  /** The packed data within. */
  member: string;
  /** About what is fetched, for progress and for a choice. */
  bytes: number;
  /** Of the data as it is stored. */
  sha256: string;
}

const SOURCES: Readonly<Record<OcrLanguage, Source>> = {
  eng: {
    url: 'https://registry.npmjs.org/@tesseract.js-data/eng/-/eng-1.0.0.tgz',
    member: 'package/4.0.0_best_int/eng.traineddata.gz',
    bytes: 2_952_873,
    sha256: '5dc5d8d640a212c9d6184921ba103b186f50e0fed9ee716c53e6b312b400d747',
  },
  chi_sim: {
    url: 'https://registry.npmjs.org/@tesseract.js-data/chi_sim/-/chi_sim-1.0.0.tgz',
    member: 'package/4.0.0_best_int/chi_sim.traineddata.gz',
    bytes: 1_718_768,
    sha256: '9784f7c917c546424b690fcde708ce1f604a4393d08bb51ddab146d7d7c794e6',
  },
};

/** What came is whole, but another thing. */
class WrongContent extends Error {}

const TAR_BLOCK = 512;
const MOST_MEMBER_BYTES = 32 * 2 ** 20;

/** Bytes that fetching a language takes, about. */
export function ocrLanguageBytes(language: OcrLanguage): number {
  return SOURCES[language].bytes;
}

export function hasOcrLanguage(folder: string, language: OcrLanguage): boolean {
  return existsSync(dataFile(folder, language));
}

export interface OcrDownload {
  get: HttpGet;
  signal: AbortSignal;
  /** 0 to 1. */
  onProgress?: (share: number) => void;
}

/**
 * Fetches the data of a language into a folder; it appears there only when it is right.
 * Throws AppError 'download-failed', 'cancelled', 'disk-full' or 'storage-failed'.
 */
export async function fetchOcrLanguage(folder: string, language: OcrLanguage, download: OcrDownload): Promise<void> {
  const source = SOURCES[language];
  const file = dataFile(folder, language);
  const data = await fetchData(source, download).catch((error: unknown) => {
    if (download.signal.aborted) throw new AppError('cancelled', 'The download was stopped.');
    throw failed(source.url, file, error);
  });
  try {
    await mkdir(folder, { recursive: true });
    await writeWhole(file, [data]);
  } catch (error) {
    throw notStored(folder, error);
  }
}

async function fetchData({ url, member, bytes, sha256 }: Source, download: OcrDownload): Promise<Buffer> {
  const data = await promisify(gunzip)(await fetchMember(url, member, bytes, download));
  const found = createHash('sha256').update(data).digest('hex');
  if (found !== sha256) throw wrongSum(url, sha256, found);
  return data;
}

function dataFile(folder: string, language: OcrLanguage): string {
  return path.join(folder, `${language}.traineddata`);
}

/** Reads a packed tar archive from the network until one member of it is whole. */
async function fetchMember(url: string, member: string, expected: number, download: OcrDownload): Promise<Buffer> {
  const request = new AbortController();
  const abort = () => request.abort();
  download.signal.addEventListener('abort', abort);
  try {
    if (download.signal.aborted) throw new Error('aborted');
    const response = await getFollowing(download.get, url, { 'accept-encoding': 'identity' }, request.signal);
    if (response.status !== 200) throw statusFailure(response.status, response.headers, url);
    let received = 0;
    const counted = async function* () {
      for await (const chunk of response.body) {
        received += chunk.length;
        download.onProgress?.(Math.min(1, received / expected));
        yield chunk;
      }
    };
    const source = Readable.from(counted());
    const unpacked = createGunzip();
    source.once('error', (error) => unpacked.destroy(error));
    try {
      return await memberOf(source.pipe(unpacked), member);
    } finally {
      source.destroy();
    }
  } finally {
    download.signal.removeEventListener('abort', abort);
    request.abort();
  }
}

/** The first members of a tar archive are skipped until the wanted one has come whole. */
async function memberOf(tar: AsyncIterable<Uint8Array>, wanted: string): Promise<Buffer> {
  let held = Buffer.alloc(0);
  for await (const chunk of tar) {
    held = Buffer.concat([held, chunk]);
    while (held.length >= TAR_BLOCK) {
      const name = held.toString('latin1', 0, 100).replace(/\0.*$/s, '');
      const size = Number.parseInt(held.toString('latin1', 124, 136), 8);
      if (!(size >= 0 && size <= MOST_MEMBER_BYTES)) throw new WrongContent('the archive is not what was expected');
      const padded = Math.ceil(size / TAR_BLOCK) * TAR_BLOCK;
      if (held.length < TAR_BLOCK + padded) break;
      if (name === wanted) return held.subarray(TAR_BLOCK, TAR_BLOCK + size);
      held = held.subarray(TAR_BLOCK + padded);
    }
  }
  throw new WrongContent(`the archive has no ${wanted}`);
}

function failed(url: string, file: string, cause: unknown): AppError {
  const { phrases, detail = String(cause) } = reasonOf(url, cause);
  return new AppError('download-failed', phrases.message, {
    action: phrase`Check the network and try again, or copy the file from another computer to ${file}.`,
    detail,
    cause,
  });
}

/** What is wrong, in the words of other downloads; what can be done about it is another thing here. */
function reasonOf(url: string, cause: unknown): AppError {
  const isZlib = cause instanceof Error && 'code' in cause && /^Z_(?!BUF)/.test(String(cause.code));
  if (cause instanceof WrongContent || isZlib) {
    return new AppError('download-failed', phrase`${new URL(url).host} sent something that is no language data.`);
  }
  const known = networkFailure(cause, url);
  return known instanceof PassingFailure ? known.error : known;
}

function notStored(folder: string, cause: unknown): AppError {
  const full = cause instanceof AppError && cause.kind === 'disk-full';
  const detail = cause instanceof AppError ? cause.message : String(cause);
  if (full) {
    return new AppError('disk-full', phrase`The language data could not be stored in ${folder}: the disk is full.`, {
      action: 'Make room on the disk, then download again.',
      detail,
      cause,
    });
  }
  return new AppError('storage-failed', phrase`The language data could not be stored in ${folder}.`, {
    action: 'Check that the folder may be written to, then download again.',
    detail,
    cause,
  });
}
