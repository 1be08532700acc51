/** `npu-compile`: makes a model ready for a laptop's NPU on a machine that has none. */
import { dirname, join, resolve } from 'node:path';
import { AppError } from '../../contract/errors.ts';
import { loadNative } from '../../native/js/load.ts';
import type { WindowsNode } from '../engine/device/compiler-process.ts';
import { findLibraries, ownLibraryFolder } from '../engine/device/libraries.ts';
import { machineOf } from '../engine/device/machine.ts';
import { type NpuCompilation, type NpuGraph, npuCompile } from '../engine/device/npu-compile.ts';
import { NPU_TARGETS, type NpuTarget } from '../engine/device/npu-targets.ts';
import { npuFolder } from '../engine/device/prebuilt-graphs.ts';
import { CHUNK_SIZE } from '../engine/session/loaded-model.ts';
import { EXIT } from './exit.ts';
import type { Interrupt } from './interrupt.ts';
import type { OptionValues } from './options.ts';
import { note, ProgressLine, print, printJson } from './output.ts';
import { usage } from './parse.ts';
import { modelReference, withEngine } from './session.ts';

/** Command line of Node for Windows, a JSON list of words: set by scripts/cli.mjs where wine runs it. */
const WINDOWS_NODE = 'SHADOWNPU_WINDOWS_NODE';

/** Prints a line for each graph and the totals, or with --json one object. Exit code 4 where the compiler refused some. */
export function compileForNpu(args: readonly string[], values: OptionValues, { signal }: Interrupt): Promise<number> {
  const name = values.target ?? '';
  const target = NPU_TARGETS[name];
  if (target === undefined) {
    throw usage(
      '"npu-compile" needs an NPU to compile for.',
      `Give --target ${Object.keys(NPU_TARGETS).join(' or ')}.`,
    );
  }
  return withEngine(async (engine) => {
    const node = windowsNode();
    const library = libraryOf(target);
    const progress = new ProgressLine();
    try {
      const model = await modelReference(engine, args[0]);
      const onProgress = progress.show;
      const bundle = await engine.import({ model, weights: values.weights ?? 'fast' }, { onProgress, signal });
      try {
        const folder = dirname(bundle.dir);
        const result = await npuCompile({
          native: loadNative(),
          bundle,
          target,
          flavour: values.flavour ?? target.flavour,
          chunk: CHUNK_SIZE,
          contextSize: Math.min(bundle.manifest.config.contextTrained, values.ctx ?? 8192),
          library,
          node,
          outDir: values.out === undefined ? npuFolder(folder, name) : resolve(values.out),
          cacheDir: join(folder, 'devices'),
          signal,
          onProgress: (done, total) => onProgress({ stage: 'compile', done, total }),
          onGraph(graph) {
            progress.clear();
            if (values.json) note(lineOf(graph));
            else print(`${lineOf(graph)}\n`);
          },
        });
        progress.clear();
        if (values.json) printJson({ ...result, totals: totalsOf(result) });
        else print(summary(result));
        return result.problems.length === 0 ? EXIT.ok : EXIT.engine;
      } finally {
        bundle.close();
      }
    } finally {
      progress.clear();
    }
  }, values);
}

function windowsNode(): WindowsNode {
  if (process.platform === 'win32') return { command: [process.execPath], path: (file) => file };
  const given = process.env[WINDOWS_NODE];
  if (given === undefined) {
    throw new AppError('device-unusable', 'The compilers of NPUs run on Windows only, and there is no wine here.', {
      action: 'Run the command on Windows, or install wine and run it by "npm run cli".',
    });
  }
  return { command: JSON.parse(given) as string[], path: (file) => `Z:${file.split('/').join('\\')}` };
}

/** The library for Windows that has the target's compiler. */
function libraryOf({ executionProvider, name }: NpuTarget): string {
  const machine = process.platform === 'win32' ? machineOf() : machineOf('win32', 'x64', {}, '');
  const folder = ownLibraryFolder(machine);
  const found = findLibraries(folder === undefined ? [] : [folder], machine).find(
    (library) => library.name === executionProvider,
  );
  if (found) return found.path;
  throw new AppError('device-unusable', `The execution provider library that compiles for ${name} is missing.`, {
    action: `Run "npm run providers -- --platform ${machine.platform}-${machine.arch}" first.`,
  });
}

function lineOf({ part, file, bytes, seconds }: NpuGraph): string {
  const time = seconds === undefined ? 'was there' : `${seconds.toFixed(1)} s`;
  return [part, file, `${(bytes / 1e6).toFixed(2)} MB`, time].join('\t');
}

/** By part: graphs, bytes, and seconds of those that were compiled now. */
function totalsOf({
  graphs,
}: NpuCompilation): Record<NpuGraph['part'], { graphs: number; bytes: number; seconds: number }> {
  const of = (part: NpuGraph['part']) => {
    const own = graphs.filter((graph) => graph.part === part);
    return {
      graphs: own.length,
      bytes: own.reduce((sum, { bytes }) => sum + bytes, 0),
      seconds: own.reduce((sum, { seconds = 0 }) => sum + seconds, 0),
    };
  };
  return { pilot: of('pilot'), prefill: of('prefill'), decode: of('decode') };
}

function summary(result: NpuCompilation): string {
  const lines = Object.entries(totalsOf(result)).map(
    ([part, { graphs, bytes, seconds }]) =>
      `${part}: ${graphs} graphs, ${(bytes / 1e6).toFixed(1)} MB, ${seconds.toFixed(0)} s`,
  );
  const problems = result.problems.map(({ graph, problem }) => `not compiled: ${graph}: ${problem}`);
  return `${[`${result.target}, ${result.flavour}:`, ...lines, ...problems].join('\n')}\n`;
}
