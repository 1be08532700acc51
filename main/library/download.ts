/**
 * Downloads one model: goes on where it was cut off, checks size, kind and checksum, and gives the file its name only when
 * all of that is right.
 */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { isDownloadAddress } from '../../contract/addresses.ts';
import { AppError } from '../../contract/errors.ts';
import { phrase } from '../../contract/phrase.ts';
import { checkRoom, type freeBytes } from './disk-space.ts';
import {
  networkFailure,
  notAModel,
  PassingFailure,
  stalled,
  statusFailure,
  wrongSize,
  wrongSum,
} from './download-errors.ts';
import { type FinalResponse, getFollowing, type HttpGet } from './http.ts';
import { PartFile, type Wanted } from './part-file.ts';

/** Waits before another try, in a row without anything new. */
const BACK_OFF_MS = [1000, 2000, 5000, 10_000, 20_000, 30_000];
/** A server that is silent for this long is given up. */
const STALL_MS = 30_000;
const MAGIC = 'GGUF';

export interface DownloadOptions {
  readonly get: HttpGet;
  readonly wanted: Wanted;
  /** Where it shall lie. */
  readonly file: string;
  readonly signal: AbortSignal;
  /** Bytes that are here now. */
  readonly onReceived: (bytes: number) => void;
  readonly onVerifying: () => void;
  /** It failed for the moment, and is tried again by itself. */
  readonly onWaiting: (error: AppError) => void;
  readonly backOffMs?: readonly number[];
  readonly stallMs?: number;
  readonly free?: typeof freeBytes;
}

/**
 * Resolves when `file` is there and right. Rejects with AppError: 'cancelled' where `signal` aborted, 'disk-full',
 * 'storage-failed', or 'download-failed'. What has arrived stays unless it is known to be wrong.
 */
export async function download(options: DownloadOptions): Promise<void> {
  const { wanted, file, signal, free } = options;
  if (!isDownloadAddress(wanted.url)) throw new AppError('bad-input', phrase`"${wanted.url}" is no https address.`);
  if (await isThere(options)) return;
  const part = await PartFile.open(file, wanted, signal);
  try {
    options.onReceived(part.received);
    await checkRoom(dirname(file), wanted.bytes - part.received, free);
    await fetchAll(part, options);
  } catch (error) {
    await part.close();
    throw error;
  }
  options.onVerifying();
  const expected = part.sha256;
  const found = part.digest();
  if (expected !== undefined && found !== expected) {
    await part.discard();
    throw wrongSum(wanted.url, expected, found);
  }
  await part.finish();
}

/** Whether the file lies there already. Throws AppError where something else does. */
async function isThere({ wanted, file, onVerifying }: DownloadOptions): Promise<boolean> {
  const known = await stat(file).catch(() => undefined);
  if (known === undefined) return false;
  if (known.size === wanted.bytes) {
    if (wanted.sha256 === undefined) return true;
    onVerifying();
    const hash = createHash('sha256');
    for await (const chunk of createReadStream(file, { highWaterMark: 2 ** 20 })) hash.update(chunk as Buffer);
    if (hash.digest('hex') === wanted.sha256) return true;
  }
  throw new AppError('bad-input', phrase`There is another file at ${file} already.`, {
    action: 'Rename or delete that file, then download again.',
  });
}

/** Tries until everything has arrived, as long as that may help. */
async function fetchAll(part: PartFile, options: DownloadOptions): Promise<void> {
  const { wanted, signal, backOffMs = BACK_OFF_MS } = options;
  let most = part.received;
  let failures = 0;
  while (part.received < wanted.bytes) {
    try {
      await fetchOnce(part, options);
    } catch (thrown) {
      if (signal.aborted) throw new AppError('cancelled', 'The download was stopped.');
      const failure = networkFailure(thrown, wanted.url);
      if (failure instanceof AppError) throw failure;
      if (part.received > most) failures = 0;
      most = Math.max(most, part.received);
      const wait = backOffMs[failures];
      if (wait === undefined) throw failure.error;
      failures += 1;
      options.onWaiting(failure.error);
      await sleep(failure.waitMs ?? wait, signal);
    }
  }
}

/** One request, from where the file ends. */
async function fetchOnce(part: PartFile, options: DownloadOptions): Promise<void> {
  const { get, wanted, signal, onReceived, stallMs = STALL_MS } = options;
  const request = new AbortController();
  const abort = () => request.abort();
  signal.addEventListener('abort', abort);
  const within = <T>(work: Promise<T>) => patiently(work, stallMs, request.signal, wanted.url);
  try {
    if (signal.aborted) throw new AppError('cancelled', 'The download was stopped.');
    const { received } = part;
    const { host } = new URL(wanted.url);
    const etag = part.etagAt(host);
    const headers = {
      'accept-encoding': 'identity',
      ...(received > 0 ? { range: `bytes=${received}-` } : {}),
      ...(received > 0 && etag !== undefined ? { 'if-range': etag } : {}),
    };
    const response = await within(getFollowing(get, wanted.url, headers, request.signal));
    await checkAnswer(part, response, wanted);
    await part.note({ host, etag: strongEtag(response), sha256: response.linked.sha256 });
    const body = response.body[Symbol.asyncIterator]();
    for (let next = await within(body.next()); next.done !== true; next = await within(body.next())) {
      if (signal.aborted) break;
      if (part.received + next.value.length > wanted.bytes) {
        await part.restart();
        throw wrongSize(response.url, wanted.bytes, 'more');
      }
      await part.append(next.value);
      await checkKind(part, response.url);
      onReceived(part.received);
    }
    if (part.received < wanted.bytes) throw new Error('The answer ended early.');
  } finally {
    signal.removeEventListener('abort', abort);
    request.abort();
  }
}

/** Leaves the part where the body of `response` goes on. Throws where there is nothing to take. */
async function checkAnswer(part: PartFile, response: FinalResponse, wanted: Wanted): Promise<void> {
  const { status, headers, linked, url } = response;
  if (status === 416) {
    // What is here is no beginning of the server's file.
    await part.restart();
    throw new PassingFailure(changed(url));
  }
  if (status !== 200 && status !== 206) throw statusFailure(status, headers, url);
  if (/^text\/html\b/i.test(headers['content-type'] ?? '')) throw notAModel(url, 'page');
  if (!/^(identity)?$/i.test(headers['content-encoding'] ?? '')) throw notAModel(url, 'other');
  if (linked.bytes !== undefined && linked.bytes !== wanted.bytes) throw wrongSize(url, wanted.bytes, linked.bytes);
  if (differ(wanted.sha256, linked.sha256)) throw changed(url);
  if (status === 206) {
    const range = /^bytes (\d+)-\d+\/(\d+|\*)$/.exec(headers['content-range'] ?? '');
    const known = part.etagAt(new URL(wanted.url).host);
    const isOther = differ(known, strongEtag(response)) || differ(part.sha256, linked.sha256);
    const total = Number(range?.[2]);
    if (Number(range?.[1]) !== part.received || isOther || (range?.[2] !== '*' && total !== wanted.bytes)) {
      await part.restart();
      throw new PassingFailure(changed(url));
    }
    return;
  }
  const told = Number(headers['content-length']);
  if (headers['content-length'] !== undefined && told !== wanted.bytes) throw wrongSize(url, wanted.bytes, told);
  // The server does not go on, or has another file by now: from the start.
  if (part.received > 0) await part.restart();
}

async function checkKind(part: PartFile, url: string): Promise<void> {
  const head = part.head.toString('latin1');
  if (MAGIC.startsWith(head)) return;
  await part.restart();
  throw notAModel(url, /^\s*<[!?a-z]/i.test(head) ? 'page' : 'other');
}

function strongEtag({ headers: { etag } }: FinalResponse): string | undefined {
  return etag?.startsWith('"') ? etag : undefined;
}

/** Both are known, and not the same. */
function differ(one: string | undefined, other: string | undefined): boolean {
  return one !== undefined && other !== undefined && one !== other;
}

function changed(url: string): AppError {
  return new AppError('download-failed', phrase`The file on ${new URL(url).host} is another one than before.`, {
    action: 'Try again; if that does not help, try another download server.',
  });
}

/** `work`, unless it takes longer than `ms` or `signal` aborts. */
function patiently<T>(work: Promise<T>, ms: number, signal: AbortSignal, url: string): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => settle(() => reject(new Error('aborted')));
    const timer = setTimeout(() => settle(() => reject(stalled(url, Math.round(ms / 1000)))), ms);
    const settle = (how: () => void) => {
      clearTimeout(timer);
      signal.removeEventListener('abort', abort);
      how();
    };
    signal.addEventListener('abort', abort);
    work.then(
      (value) => settle(() => resolve(value)),
      (error: unknown) => settle(() => reject(error)),
    );
  });
}

function sleep(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = () => {
      clearTimeout(timer);
      reject(new AppError('cancelled', 'The download was stopped.'));
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', abort);
      resolve();
    }, ms);
    signal.addEventListener('abort', abort);
  });
}
