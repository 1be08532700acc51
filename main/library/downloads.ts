/** Downloads of catalogue entries: one at a time, in order; paused, resumed and given up; over the end of the app too. */
import { join } from 'node:path';
import { AppError, type ErrorInfo } from '../../contract/errors.ts';
import type { CatalogEntry, DownloadStatus } from '../../contract/models.ts';
import { phrase } from '../../contract/phrase.ts';
import { onMirror } from './addresses.ts';
import { fileNameOf } from './catalog.ts';
import { type DownloadOptions, download } from './download.ts';
import { readQueue, writeQueue } from './download-queue.ts';
import type { HttpGet } from './http.ts';
import { discardPart, partBytes } from './part-file.ts';
import { SpeedMeter } from './speed-meter.ts';

/** How often a download that runs is told of: also one that gets nothing for a while, whose speed falls. */
const TELL_EVERY_MS = 250;

export interface DownloadsOptions {
  /** The models folder. */
  readonly folder: string;
  readonly entries: readonly CatalogEntry[];
  readonly get: HttpGet;
  /** Server in place of Hugging Face, where the user wants one. */
  readonly mirror: () => string | undefined;
  readonly changed: (status: DownloadStatus) => void;
  /** A model has arrived. */
  readonly arrived: () => void;
  readonly log: (line: string) => void;
  /** For tests: waits and limits of a single download. */
  readonly limits?: Pick<DownloadOptions, 'backOffMs' | 'stallMs' | 'free'>;
}

interface Job {
  readonly entry: CatalogEntry;
  readonly meter: SpeedMeter;
  state: DownloadStatus['state'];
  received: number;
  error: AppError | undefined;
  /** Of the download that runs. */
  running: { abort: AbortController; end: Promise<void> } | undefined;
}

export class Downloads {
  readonly #options: DownloadsOptions;
  /** In the order in which they are done. */
  readonly #jobs = new Map<string, Job>();
  #ended = false;
  #saving: Promise<void> = Promise.resolve();

  constructor(options: DownloadsOptions) {
    this.#options = options;
  }

  /** Those of before the app ended: what ran goes on, what was paused waits. */
  async restore(): Promise<void> {
    for (const { entryId, paused } of await readQueue(this.#options.folder)) {
      const entry = this.#options.entries.find(({ id }) => id === entryId);
      if (entry === undefined || this.#jobs.has(entryId)) continue;
      const job = newJob(entry, paused ? 'paused' : 'queued');
      job.received = await partBytes(this.#file(entry));
      this.#jobs.set(entryId, job);
      this.#tell(job);
    }
    this.#next();
  }

  list(): DownloadStatus[] {
    return [...this.#jobs.values()].map(statusOf);
  }

  /** Begins, or goes on with one that was paused or failed. Throws AppError 'bad-input' for an entry that is not there. */
  start(entryId: string): DownloadStatus {
    const entry = this.#options.entries.find(({ id }) => id === entryId);
    if (entry === undefined) throw new AppError('bad-input', phrase`There is no model "${entryId}" in the catalogue.`);
    let job = this.#jobs.get(entryId);
    if (job === undefined || job.state === 'done') {
      job = newJob(entry, 'queued');
      this.#jobs.delete(entryId);
      this.#jobs.set(entryId, job);
    }
    if (job.state === 'paused' || job.state === 'failed') job.state = 'queued';
    job.error = undefined;
    this.#save();
    this.#tell(job);
    this.#next();
    return statusOf(job);
  }

  pause(entryId: string): void {
    const job = this.#jobs.get(entryId);
    if (job === undefined || job.state === 'done') return;
    job.state = 'paused';
    job.running?.abort.abort();
    this.#save();
    this.#tell(job);
  }

  /** Stops it and deletes what has arrived. */
  async cancel(entryId: string): Promise<void> {
    const job = this.#jobs.get(entryId);
    if (job === undefined) return;
    this.#jobs.delete(entryId);
    this.#save();
    job.running?.abort.abort();
    await job.running?.end;
    if (job.state !== 'done') await discardPart(this.#file(job.entry));
    job.state = 'cancelled';
    this.#tell(job);
    this.#next();
  }

  /** Ends for now; `restore` goes on after the next start. */
  async stop(): Promise<void> {
    this.#ended = true;
    for (const { running } of this.#jobs.values()) {
      running?.abort.abort();
      await running?.end;
    }
    await this.#saving;
  }

  #next(): void {
    const jobs = [...this.#jobs.values()];
    if (this.#ended || jobs.some(({ running }) => running !== undefined)) return;
    const job = jobs.find(({ state }) => state === 'queued');
    if (job === undefined) return;
    const abort = new AbortController();
    job.running = { abort, end: this.#run(job, abort.signal) };
  }

  async #run(job: Job, signal: AbortSignal): Promise<void> {
    const { get, mirror, arrived, log, limits } = this.#options;
    const { entry, meter } = job;
    job.state = 'running';
    meter.forget();
    this.#tell(job);
    const telling = setInterval(() => this.#tell(job), TELL_EVERY_MS);
    try {
      const { sha256, bytes } = entry;
      const wanted = { url: onMirror(entry.url, mirror()), bytes, ...(sha256 === undefined ? {} : { sha256 }) };
      await download({
        ...limits,
        get,
        wanted,
        file: this.#file(entry),
        signal,
        onReceived: (received) => {
          job.received = received;
          job.error = undefined;
          meter.sample(received, performance.now());
        },
        onVerifying: () => {
          job.state = 'verifying';
          this.#tell(job);
        },
        onWaiting: (error) => {
          log(`download of ${entry.id}: ${error.message} ${error.detail ?? ''}`);
          job.error = error;
          meter.forget();
          this.#tell(job);
        },
      });
      job.state = 'done';
      job.received = entry.bytes;
      log(`downloaded ${entry.id}`);
    } catch (thrown) {
      // Stopped by `pause`, `cancel` or `stop`, which have said what it is now.
      if (!signal.aborted) {
        job.state = 'failed';
        job.error = AppError.from(thrown);
        log(`download of ${entry.id} failed: ${job.error.message} ${job.error.detail ?? ''}`);
        job.received = await partBytes(this.#file(entry));
      }
    }
    clearInterval(telling);
    job.running = undefined;
    if (this.#ended) return;
    this.#save();
    if (this.#jobs.get(entry.id) === job) this.#tell(job);
    if (job.state === 'done') arrived();
    this.#next();
  }

  #tell(job: Job): void {
    this.#options.changed(statusOf(job));
  }

  /** What has failed waits for the user, as what was paused does. */
  #save(): void {
    const { folder, log } = this.#options;
    const queue = [...this.#jobs.values()]
      .filter(({ state }) => state !== 'done')
      .map(({ entry, state }) => ({ entryId: entry.id, paused: state === 'paused' || state === 'failed' }));
    this.#saving = this.#saving
      .then(() => writeQueue(folder, queue))
      .catch((error: unknown) => log(`downloads not remembered: ${String(error)}`));
  }

  #file(entry: CatalogEntry): string {
    return join(this.#options.folder, fileNameOf(entry));
  }
}

function newJob(entry: CatalogEntry, state: Job['state']): Job {
  return {
    entry,
    state,
    meter: new SpeedMeter(),
    received: 0,
    error: undefined,
    running: undefined,
  };
}

function statusOf({ entry, state, received, error, meter }: Job): DownloadStatus {
  const bytesPerSecond = state === 'running' ? meter.bytesPerSecond(performance.now()) : 0;
  return {
    entryId: entry.id,
    state,
    received,
    total: entry.bytes,
    bytesPerSecond,
    ...(bytesPerSecond > 0 ? { secondsLeft: Math.ceil((entry.bytes - received) / bytesPerSecond) } : {}),
    ...(error === undefined ? {} : { error: forPeople(error) }),
  };
}

function forPeople(error: AppError): ErrorInfo {
  const { detail: _, ...info } = error.toInfo();
  return info;
}
