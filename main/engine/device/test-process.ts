/**
 * Runs dist/device-test.cjs: what a library or a driver does in there, crash and hang included, ends that process only. Works
 * from Node and from Electron's processes.
 */
import { type ChildProcess, type SpawnOptions, spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as v from 'valibot';
import { AppError } from '../../../contract/errors.ts';
import { distFile } from '../paths.ts';
import { TestReport, type TestRequest } from './self-test/protocol.ts';

export interface TestOutcome {
  reports: TestReport[];
  /** How the process ended: by itself, by a crash, or because it took too long. */
  end: 'well' | 'crashed' | 'hung';
  /** What it was doing last, and the exit code or signal where it crashed. */
  lastWords: string;
}

type Ask = Omit<TestRequest, 'report'>;

/** Blocks until the process has ended, at most `limitMs`. */
export function runTestNow(request: Ask, limitMs: number): TestOutcome {
  const report = reportFile();
  const { status, signal, error } = spawnSync(process.execPath, argumentsOf({ ...request, report }), {
    ...OPTIONS,
    timeout: limitMs,
    killSignal: 'SIGKILL',
  });
  return outcomeOf(report, status, signal, error !== undefined && 'code' in error && error.code === 'ETIMEDOUT');
}

/** Throws AppError 'cancelled' once `signal` has fired. */
export function runTest(request: Ask, limitMs: number, signal?: AbortSignal): Promise<TestOutcome> {
  const report = reportFile();
  return new Promise((resolve, reject) => {
    let late = false;
    const child: ChildProcess = spawn(process.execPath, argumentsOf({ ...request, report }), OPTIONS);
    const end = () => child.kill('SIGKILL');
    const timer = setTimeout(() => {
      late = true;
      end();
    }, limitMs);
    signal?.addEventListener('abort', end);
    if (signal?.aborted) end();
    const ended = (status: number | null, killedBy: string | null) => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', end);
      const outcome = outcomeOf(report, status, killedBy, late);
      if (signal?.aborted) reject(new AppError('cancelled', 'The test was stopped.'));
      else resolve(outcome);
    };
    child.once('error', (error) => ended(null, error.message));
    child.once('exit', ended);
  });
}

/** Electron's own program is Node where it is told so; Node does not mind. */
const OPTIONS: SpawnOptions = {
  env: { ...process.env, ELECTRON_RUN_AS_NODE: '1' },
  stdio: 'ignore',
  windowsHide: true,
};

function argumentsOf(request: TestRequest): string[] {
  return [distFile('device-test.cjs'), JSON.stringify(request)];
}

function reportFile(): string {
  return join(tmpdir(), `shadownpu-device-${process.pid}-${randomBytes(6).toString('hex')}.jsonl`);
}

function outcomeOf(file: string, status: number | null, signal: string | null, late: boolean): TestOutcome {
  const reports = readReports(file);
  rmSync(file, { force: true });
  const doing = reports.reduce((last, report) => (report.type === 'doing' ? report.what : last), 'starting');
  if (late) return { reports, end: 'hung', lastWords: doing };
  if (status === 0) return { reports, end: 'well', lastWords: doing };
  return { reports, end: 'crashed', lastWords: `${doing}: ${signal ?? `exit code ${exitCode(status)}`}` };
}

/** Windows' codes are known by their hexadecimal form. */
function exitCode(status: number | null): string {
  return status !== null && status > 0xffff ? `0x${status.toString(16).toUpperCase()}` : String(status);
}

/** A line that was cut short by the end of the process is left out. */
function readReports(file: string): TestReport[] {
  let text = '';
  try {
    text = readFileSync(file, 'utf8');
  } catch {
    // ended before the first
  }
  return text.split('\n').flatMap((line) => {
    try {
      return [v.parse(TestReport, JSON.parse(line))];
    } catch {
      return [];
    }
  });
}
