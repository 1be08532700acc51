/** Runs dist/npu-compiler.cjs over some graphs: a crash of the compiler ends that process only. */
import { spawn } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AppError } from '../../../contract/errors.ts';
import { distFile } from '../paths.ts';
import type { CompileJob } from './compile-graphs.ts';
import type { CompilerOrders, CompilerReport } from './npu-compile.ts';

/** Node for Windows: this process itself, or an emulator's command line. */
export interface WindowsNode {
  command: readonly string[];
  /** An absolute path of this machine as programs inside see it. */
  path: (file: string) => string;
}

/** How often reports are looked for, in milliseconds. */
const POLL_MS = 200;
/** Without a report for so long the compiler hangs. */
const SILENCE_MS = 10 * 60_000;

export interface CompilerRun {
  node: WindowsNode;
  orders: Pick<CompilerOrders, 'library' | 'target'>;
  jobs: readonly CompileJob[];
  /** In order; settles before the next is read. */
  onReport: (report: CompilerReport) => Promise<void>;
  signal?: AbortSignal;
}

/** Returns how the process ended: '' where it ended well. Throws AppError 'cancelled', and what onReport throws. */
export async function runCompiler({ node, orders, jobs, onReport, signal }: CompilerRun): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'shadownpu-npu-'));
  const [ordersFile, reportFile, outputFile] = ['orders.json', 'report.jsonl', 'output.txt'].map((name) =>
    join(folder, name),
  ) as [string, string, string];
  writeFileSync(reportFile, '');
  const inside: CompilerOrders = {
    ...orders,
    library: node.path(orders.library),
    reportFile: node.path(reportFile),
    jobs: jobs.map(({ graph, output }) => ({ graph: node.path(graph), output: node.path(output) })),
  };
  writeFileSync(ordersFile, JSON.stringify(inside));
  // Windows programs under wine cannot write into pipes.
  const output = openSync(outputFile, 'w');
  try {
    const [program = '', ...first] = node.command;
    const child = spawn(program, [...first, node.path(distFile('npu-compiler.cjs')), node.path(ordersFile)], {
      stdio: ['ignore', output, output],
      windowsHide: true,
    });
    let ended: string | undefined;
    child.once('error', (error) => {
      ended = error.message;
    });
    child.once('exit', (code, killedBy) => {
      ended ??= code === 0 ? '' : `its process ended with ${killedBy ?? `code ${code}`}`;
    });
    let seen = 0;
    let heard = Date.now();
    try {
      for (;;) {
        const over = ended;
        const lines = readFileSync(reportFile, 'utf8').split('\n').slice(0, -1);
        for (const line of lines.slice(seen)) await onReport(JSON.parse(line) as CompilerReport);
        if (lines.length > seen) heard = Date.now();
        seen = lines.length;
        if (over !== undefined) return over;
        if (signal?.aborted) throw new AppError('cancelled', 'Compiling was stopped.');
        if (Date.now() - heard > SILENCE_MS) return 'it has not answered for ten minutes';
        await new Promise((resolve) => setTimeout(resolve, POLL_MS));
      }
    } finally {
      if (ended === undefined) child.kill('SIGKILL');
    }
  } finally {
    closeSync(output);
    rmSync(folder, { recursive: true, force: true });
  }
}
