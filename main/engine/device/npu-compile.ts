/**
 * Compiles a whole model for an NPU that is not here: the pilot's graphs of every shape and the linear graphs of every layer.
 * Finished graphs stay when it is stopped, and the next run goes on from there.
 */
import { rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError } from '../../../contract/errors.ts';
import { phrase } from '../../../contract/phrase.ts';
import type { NativeAddon } from '../../../native/js/index.ts';
import { scoreRange } from '../attention/pilot/backend.ts';
import { pilotGraphFile } from '../attention/pilot/graph-files.ts';
import { keyLength } from '../attention/pilot/pilot-memory.ts';
import { graphScales } from '../attention/pilot/scales.ts';
import type { LinearFlavour } from '../graph/device-flavours.ts';
import type { Bundle } from '../model/bundle.ts';
import type { CompileJob } from './compile-graphs.ts';
import { CompiledCache } from './compiled-cache.ts';
import { runCompiler, type WindowsNode } from './compiler-process.ts';
import { writeGraphFiles } from './device-graph-files.ts';
import type { NpuTarget } from './npu-targets.ts';
import { npuKey } from './prebuilt-graphs.ts';
import { writeSealed } from './sealed-json.ts';

/** What the compiler's process is told. */
export interface CompilerOrders {
  library: string;
  target: NpuTarget;
  jobs: CompileJob[];
  reportFile: string;
}

export type CompilerReport =
  | { type: 'device'; epVersion: string }
  | { type: 'started'; place: number }
  | { type: 'compiled'; place: number; seconds: number; problem: string | null }
  | { type: 'refused'; problem: string };

/** Heads of a launch that graphs are made for. */
const LAUNCH_HEADS = [1, 2, 4];
/** Graphs that one process compiles: compilers grow from graph to graph. */
const GRAPHS_PER_PROCESS = 32;
const MANIFEST = 'npu.json';

export interface NpuGraph {
  part: 'pilot' | 'prefill' | 'decode';
  /** Of its file in the output folder. */
  file: string;
  bytes: number;
  /** Of compiling; absent where an earlier run had done it. */
  seconds?: number;
}

export interface NpuCompilation {
  target: string;
  flavour: LinearFlavour;
  chunk: number;
  /** Of the execution provider; absent where nothing had to be compiled. */
  epVersion?: string;
  graphs: NpuGraph[];
  /** Graphs that the compiler does not take, and what it says. */
  problems: { graph: string; problem: string }[];
}

export interface NpuCompileRun {
  native: NativeAddon;
  bundle: Bundle;
  target: NpuTarget;
  flavour: LinearFlavour;
  /** Rows of a prefill graph and of the pilot. */
  chunk: number;
  /** Keys that the longest pilot graph takes at least. */
  contextSize: number;
  /** Path of the execution provider's library for Windows. */
  library: string;
  node: WindowsNode;
  /** Made if needed; holds the compiled graphs and npu.json. */
  outDir: string;
  /** Folder of all device graphs. */
  cacheDir: string;
  onProgress?: (done: number, total: number) => void;
  /** After each graph. */
  onGraph?: (graph: NpuGraph) => void;
  signal?: AbortSignal;
}

interface Wanted {
  part: NpuGraph['part'];
  graph: string;
  key: string;
}

/** Throws AppError as writeGraphFiles does, 'cancelled', and 'device-unusable' where the compiler cannot be run at all. */
export async function npuCompile(run: NpuCompileRun): Promise<NpuCompilation> {
  const { target, flavour, chunk, signal } = run;
  const wanted = await sources(run);
  const cache = new CompiledCache(run.outDir, Number.POSITIVE_INFINITY);
  const result: NpuCompilation = { target: target.name, flavour, chunk, graphs: [], problems: [] };
  const settled = () => result.graphs.length + result.problems.length;
  const finish = async ({ part, key }: Wanted, path: string, seconds?: number) => {
    const { size: bytes } = await stat(path);
    const graph = { part, file: `${key}.onnx`, bytes, ...(seconds === undefined ? {} : { seconds }) };
    result.graphs.push(graph);
    run.onGraph?.(graph);
    run.onProgress?.(settled(), wanted.length);
  };
  let missing: Wanted[] = [];
  for (const one of wanted) {
    const path = await cache.find(one.key);
    if (path === undefined) missing.push(one);
    else await finish(one, path);
  }
  while (missing.length > 0) {
    const batch = missing.slice(0, GRAPHS_PER_PROCESS).map((one) => ({ ...one, output: cache.temporary(one.key) }));
    let done = 0;
    const onReport = async (report: CompilerReport) => {
      if (report.type === 'refused') throw refused(target, report.problem);
      if (report.type === 'device') result.epVersion = report.epVersion;
      if (report.type !== 'compiled') return;
      const one = batch[report.place];
      if (one === undefined) throw new Error('a report on a graph that was not ordered');
      done = report.place + 1;
      if (report.problem === null) await finish(one, await cache.keep(one.key, one.output), report.seconds);
      else result.problems.push({ graph: one.key, problem: report.problem });
    };
    try {
      const orders = { library: run.library, target };
      const end = await runCompiler({
        node: run.node,
        orders,
        jobs: batch,
        onReport,
        ...(signal ? { signal } : {}),
      });
      const unfinished = batch[done];
      if (unfinished !== undefined) {
        if (result.epVersion === undefined) throw refused(target, end);
        // It took the process with it: the others get a new one.
        result.problems.push({ graph: unfinished.key, problem: end === '' ? 'its process ended' : end });
        done++;
      }
    } finally {
      await Promise.all(batch.map(({ output }) => rm(output, { force: true })));
    }
    missing = missing.slice(done);
  }
  await writeSealed(join(run.outDir, MANIFEST), result);
  return result;
}

/** Writes all graphs that are to be compiled and names each by its content and target. */
async function sources(run: NpuCompileRun): Promise<Wanted[]> {
  const { bundle, target, chunk, cacheDir } = run;
  const { nHead, headDim } = bundle.manifest.config;
  const files = await writeGraphFiles({ ...run, onProgress: () => {} });
  const named = (part: NpuGraph['part'], graph: string): Wanted => ({
    part,
    graph,
    key: npuKey(graph, part === 'pilot' ? null : files.weightsSha256, target),
  });
  const pilots: Wanted[] = [];
  for (let keys = keyLength(1); ; keys = keyLength(keys + 1)) {
    for (const heads of LAUNCH_HEADS.filter((count) => count <= nHead)) {
      const scales = graphScales({ scale: 'exact' }, 0, { meanLambdaQ: 1, meanLambdaK: 1 });
      const shape = { heads, rows: chunk, headDim, keys, ...scales, range: scoreRange(headDim) };
      pilots.push(named('pilot', pilotGraphFile(join(cacheDir, 'pilot'), shape)));
    }
    if (keys >= run.contextSize) break;
  }
  const linear = files.blocks.flatMap(({ prefill, decode }) => [named('prefill', prefill), named('decode', decode)]);
  return [...pilots, ...linear];
}

function refused({ name }: NpuTarget, problem: string): AppError {
  return new AppError('device-unusable', phrase`Nothing can be compiled for ${name} here: ${problem}`, {
    action:
      'Fetch the providers for Windows by "npm run providers -- --platform win32-x64", and build the addon for it.',
    detail: problem,
  });
}
