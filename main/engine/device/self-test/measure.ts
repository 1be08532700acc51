/** The self-test of one device, in this process: right results, least times, memory. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DeviceInfo, GraphFlavour, SelfTest } from '../../../../contract/engine.ts';
import type { NativeAddon } from '../../../../native/js/index.ts';
import type { OpenDevice } from '../registry.ts';
import { type Activations, linearTest, pilotTest, type TestGraph } from './graphs.ts';

/** Timed runs; the first one is not counted. */
const RUNS = 5;

/** Activations of the small linear graph, by the flavour that a device would get. */
const ACTIVATIONS: Readonly<Record<Exclude<GraphFlavour, 'pilot-u8'>, Activations>> = {
  cpu: 'uint8',
  w8a16: 'uint16',
  w4a16: 'uint16',
  w8a8: 'uint8',
  'w8a8-rows': 'uint8',
  fp16: 'float32',
};

/**
 * Never throws: what goes wrong is the result's problem. `say` is told what is being done, before it is done.
 */
export function measureDevice(
  native: NativeAddon,
  device: Pick<DeviceInfo, 'executionProvider' | 'flavours'>,
  open: OpenDevice,
  say: (what: string) => void,
): SelfTest {
  const started = performance.now();
  const before = process.memoryUsage().rss;
  const folder = mkdtempSync(join(tmpdir(), 'shadownpu-self-test-'));
  const result: SelfTest = { passed: false, seconds: 0 };
  try {
    const run = (name: string, graph: TestGraph) => runGraph(native, device, open, { folder, name, graph, say });
    const linear = device.flavours.find((flavour) => flavour !== 'pilot-u8');
    if (device.flavours.includes('pilot-u8')) {
      const { ms, error, problem } = run('pilot', pilotTest());
      result.pilotMs = ms;
      result.worstError = error;
      if (problem !== undefined) result.problem = problem;
    }
    if (linear !== undefined) {
      const { ms, problem } = run('linear', linearTest(ACTIVATIONS[linear as keyof typeof ACTIVATIONS]));
      result.linearMs = ms;
      if (problem !== undefined) result.problem ??= problem;
    }
    result.passed = result.problem === undefined;
  } catch (error) {
    result.problem = error instanceof Error ? error.message : String(error);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  result.memoryBytes = Math.max(0, process.resourceUsage().maxRSS * 1024 - before);
  result.seconds = (performance.now() - started) / 1000;
  return result;
}

interface Task {
  folder: string;
  name: string;
  graph: TestGraph;
  say: (what: string) => void;
}

/** @returns least milliseconds of a run and greatest difference to what is expected. Throws what the device says. */
function runGraph(
  native: NativeAddon,
  { executionProvider }: Pick<DeviceInfo, 'executionProvider'>,
  { index, epOptions }: OpenDevice,
  { folder, name, graph, say }: Task,
): { ms: number; error: number; problem?: string } {
  const path = join(folder, `${name}.onnx`);
  writeFileSync(path, graph.model);
  say(`opening the ${name} graph`);
  const session = native.openSession(path, {
    devices: [index],
    epOptions,
    threads: 1,
    // Else a device that takes nothing would pass on the processor's work.
    ...(executionProvider === 'CPUExecutionProvider' ? {} : { config: { 'session.disable_cpu_ep_fallback': '1' } }),
  });
  try {
    say(`running the ${name} graph`);
    let ms = Number.POSITIVE_INFINITY;
    for (let run = 0; run <= RUNS; run++) {
      const before = performance.now();
      session.run(graph.inputs, [graph.output]);
      if (run > 0) ms = Math.min(ms, performance.now() - before);
    }
    const error = worstError(graph);
    if (error <= graph.tolerance) return { ms, error };
    const problem = `The ${name} graph gives wrong results: off by ${error.toPrecision(3)} where ${graph.tolerance.toPrecision(3)} is allowed.`;
    return { ms, error, problem };
  } finally {
    session.close();
  }
}

/** Infinity where an output is no number. */
function worstError({ expected, output }: TestGraph): number {
  let worst = 0;
  for (const [i, value] of expected.entries()) {
    const error = Math.abs((output.data[i] ?? Number.NaN) - value);
    if (Number.isNaN(error)) return Number.POSITIVE_INFINITY;
    if (error > worst) worst = error;
  }
  return worst;
}
