/**
 * Entry of the offline compiler (dist/npu-compiler.cjs): compiles the graphs of an orders file and reports on each in a file,
 * a line of JSON at a time. It runs in Node for Windows, under wine where that is not the machine's own.
 */
import { appendFileSync, readFileSync } from 'node:fs';
import type { EpDevice } from '../../../native/js/index.ts';
import { loadNative } from '../../../native/js/load.ts';
import { compileGraph } from './compile-graph.ts';
import type { CompilerOrders, CompilerReport } from './npu-compile.ts';

function report(file: string, line: CompilerReport): void {
  appendFileSync(file, `${JSON.stringify(line)}\n`);
}

function compileAll({ library, target, jobs, reportFile }: CompilerOrders): void {
  const native = loadNative();
  native.registerEpLibrary(target.registration, library);
  const device = native.devices().find((found) => isTarget(found, target));
  if (device === undefined) throw new Error(`the library at ${library} offers no ${target.name}`);
  report(reportFile, { type: 'device', epVersion: device.epMetadata.version ?? '' });
  const open = { index: device.index, epOptions: { ...target.epOptions } };
  for (const [place, job] of jobs.entries()) {
    report(reportFile, { type: 'started', place });
    const start = performance.now();
    let problem: string | null = null;
    try {
      compileGraph(native, open, job);
    } catch (error) {
      problem = error instanceof Error ? error.message : String(error);
    }
    report(reportFile, { type: 'compiled', place, seconds: (performance.now() - start) / 1000, problem });
  }
}

function isTarget({ ep, epMetadata }: EpDevice, target: CompilerOrders['target']): boolean {
  return ep === target.executionProvider && epMetadata.npu_platform === target.npuPlatform;
}

const orders: CompilerOrders = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8'));
try {
  compileAll(orders);
} catch (error) {
  report(orders.reportFile, { type: 'refused', problem: error instanceof Error ? error.message : String(error) });
}
// A vendor's library may keep threads that would hold the process.
process.exit(0);
