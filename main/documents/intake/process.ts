/**
 * Entry of the parser process (dist/parser.cjs). Its main thread answers main and watches over memory; each file is read
 * in a thread of its own, which is ended where it takes too much. Runs in Electron's utility process or in plain Node.
 * `--heap-mib=N` gives files less memory than they may have otherwise.
 */
import { constants, setPriority } from 'node:os';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import * as v from 'valibot';
import { ParserCommand, type ParserReport } from '../../../contract/documents.ts';
import { AppError } from '../../../contract/errors.ts';
import { phrase } from '../../../contract/phrase.ts';
import { beyondLimit } from './errors.ts';
import { MOST_HEAP_MIB, MOST_RESIDENT_MIB } from './limits.ts';
import { type FileToRead, readFile } from './read-file.ts';

type Bare = ParserReport extends infer R ? (R extends ParserReport ? Omit<R, 'requestId'> : never) : never;

/** What Electron's utilityProcess gives its child; Node's own channel is used where there is none. */
interface ElectronPort {
  on(event: 'message', listener: (event: { data: unknown }) => void): void;
  postMessage(message: unknown): void;
}

const HEAP_FLAG = '--heap-mib=';
const MEMORY_CHECK_MS = 100;
const PROGRESS_INTERVAL_MS = 50;

function serve(): void {
  yieldToOthers();
  const electron = (process as unknown as { parentPort?: ElectronPort }).parentPort;
  const post = (report: ParserReport) => (electron ? electron.postMessage(report) : process.send?.(report));
  const receive = (data: unknown) => answer(v.parse(ParserCommand, data), post);
  if (electron) electron.on('message', ({ data }) => receive(data));
  else {
    process.on('message', receive);
    // Without main there is nobody to read for.
    process.on('disconnect', () => process.exit());
  }
}

/** Reading may take its time; the window and the engine may not wait for it. Threads begun from now on inherit this. */
function yieldToOthers(): void {
  try {
    setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // The system does not let this process change it: it stays as it is.
  }
}

/** Reads a file in a new thread and passes on what it reports. */
function answer({ requestId, path, password, ocr }: ParserCommand, post: (report: ParserReport) => void): void {
  const file: FileToRead = {
    path,
    ...(password === undefined ? {} : { password }),
    ...(ocr === undefined ? {} : { ocr }),
  };
  const worker = new Worker(__filename, {
    workerData: file,
    resourceLimits: { maxOldGenerationSizeMb: heapMib() },
    stdout: true,
  });
  let ended = false;
  const report = (bare: Bare) => {
    if (ended) return;
    if (bare.type === 'outline' || bare.type === 'failed') {
      ended = true;
      clearInterval(watch);
      void worker.terminate();
    }
    post({ ...bare, requestId });
  };
  const tooLarge = () => {
    const error = beyondLimit(phrase`Reading ${nameOf(path)} needs more memory than a document may take.`);
    report({ type: 'failed', error: error.toInfo(), spent: true });
  };
  const watch = setInterval(() => {
    if (process.memoryUsage().rss > MOST_RESIDENT_MIB * 2 ** 20) tooLarge();
  }, MEMORY_CHECK_MS);
  worker.on('message', report);
  worker.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'ERR_WORKER_OUT_OF_MEMORY') tooLarge();
    else report({ type: 'failed', error: AppError.from(error).toInfo(), spent: false });
  });
  worker.on('exit', () => {
    const error = new AppError('internal', phrase`Reading ${nameOf(path)} ended without a result.`);
    report({ type: 'failed', error: error.toInfo(), spent: true });
  });
}

/** In the thread of one file. */
async function read(): Promise<void> {
  const report = (bare: Bare) => parentPort?.postMessage(bare);
  let told = 0;
  try {
    const outline = await readFile(workerData as FileToRead, {
      page: (page) => report({ type: 'page', page }),
      progress: (progress) => {
        const now = Date.now();
        if (now - told < PROGRESS_INTERVAL_MS && progress.done < progress.total) return;
        told = now;
        report({ type: 'progress', progress });
      },
    });
    report({ type: 'outline', outline });
  } catch (error) {
    report({ type: 'failed', error: AppError.from(error).toInfo(), spent: false });
  }
}

function heapMib(): number {
  const stated = process.argv.find((argument) => argument.startsWith(HEAP_FLAG))?.slice(HEAP_FLAG.length);
  return Math.min(Number(stated ?? MOST_HEAP_MIB) || MOST_HEAP_MIB, MOST_HEAP_MIB);
}

function nameOf(path: string): string {
  return path.split(/[/\\]/).at(-1) ?? path;
}

if (isMainThread) serve();
else void read();
