/** A graph on a device inside an emulator, compared with ONNX Runtime's CPU provider on this machine. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Emulator } from '../../../scripts/emulators/emulators.mjs';
import { type GuestResult, type GuestRun, type GuestTensor, runJob } from '../../../scripts/emulators/job.mjs';
import type { NumericArray } from '../../js/index.ts';
import { loadNative } from '../../js/load.ts';

type Array = Uint8Array | Float32Array;
type Ports = { name: string; type: GuestTensor['type']; dims: number[] }[];

export interface Case {
  graph: string;
  /** Session config entries of the CPU provider. */
  config?: Readonly<Record<string, string>>;
  /** In the order of the graph's inputs. */
  inputs: Array[];
}

export interface DeviceCase extends Case {
  epOptions: Readonly<Record<string, string>>;
  /** What the device runs in place of the graph: the same, compiled. */
  compiled?: string;
}

/** Nothing of the graph may run anywhere but on the device. */
export const ONLY_THE_DEVICE = { 'session.disable_cpu_ep_fallback': '1' };

const TYPES = { uint8: Uint8Array, float32: Float32Array };
const READ: Record<GuestTensor['type'], (bytes: Buffer) => Array> = {
  uint8: (bytes) => Uint8Array.from(bytes),
  float32: (bytes) => new Float32Array(Uint8Array.from(bytes).buffer),
};

/** Outputs of the CPU provider, and the ports of the graph in its own order. */
export function onCpu({ graph, config = {}, inputs }: Case): { inputs: Ports; outputs: Ports; values: Array[] } {
  const session = loadNative().openSession(graph, { config: { ...config } });
  try {
    const ports = session.describe() as ({ output: boolean } & Ports[number])[];
    const outputs = ports.filter(({ output }) => output);
    const given = ports.filter(({ output }) => !output);
    const values = outputs.map(({ type, dims }) => new TYPES[type](dims.reduce((a, b) => a * b)));
    const tensor = (data: NumericArray, i: number, of: Ports) => ({ data, dims: of[i]?.dims ?? [] });
    session.run(
      inputs.map((data, i) => tensor(data, i, given)),
      values.map((data, i) => tensor(data, i, outputs)),
    );
    return { inputs: given, outputs, values };
  } finally {
    session.close();
  }
}

/**
 * Runs cases on the first device of an execution provider under an emulator.
 * @param folder for inputs and outputs
 * @param provider file: its library, where it is not in ONNX Runtime itself
 * @returns outputs by case in the graph's order, or the error of that case; and all that the guest said
 */
export async function onDevice(
  emulator: Emulator,
  target: string,
  folder: string,
  provider: { name: string; file?: string },
  cases: DeviceCase[],
): Promise<{ outcomes: { values?: Array[]; error?: string; runMs?: number }[]; guest: GuestResult }> {
  const runs: GuestRun[] = cases.map((one, c) => {
    const ports = onCpu(one);
    const inputs = ports.inputs.map(({ type, dims }, i) => ({ type, dims, file: join(folder, `${c}-in${i}.bin`) }));
    for (const [i, { file }] of inputs.entries()) writeFileSync(file, bytesOf(one.inputs[i] ?? new Uint8Array(0)));
    const outputs = ports.outputs.map(({ type, dims }, i) => ({ type, dims, file: join(folder, `${c}-out${i}.bin`) }));
    const config = { ...one.config, ...ONLY_THE_DEVICE };
    const graph = one.compiled ?? one.graph;
    return { graph, device: provider.name, config, epOptions: { ...one.epOptions }, inputs, outputs };
  });
  const libraries = provider.file === undefined ? [] : [{ name: provider.name, file: provider.file }];
  const guest = await runJob(emulator, target, { libraries, runs });
  const outcomes = guest.runs.map((run, c) => {
    if (run.error !== undefined) return { error: run.error };
    const values = runs[c]?.outputs.map(({ type, file }) => READ[type](readFileSync(file))) ?? [];
    return { values, ...(run.runMs === undefined ? {} : { runMs: run.runMs }) };
  });
  return { outcomes, guest };
}

/** Greatest difference, and how many of the values differ at all. */
export function difference(a: Array, b: Array): { worst: number; differing: number } {
  if (a.length !== b.length) throw new Error(`${a.length} values against ${b.length}`);
  let worst = 0;
  let differing = 0;
  for (const [i, value] of a.entries()) {
    const error = Math.abs(value - (b[i] ?? Number.NaN));
    if (!(error <= worst)) worst = error; // also where it is NaN
    if (error !== 0) differing++;
  }
  return { worst, differing: differing / a.length };
}

/** Greatest |value|. */
export function greatest(values: Array): number {
  return loadNative().maxAbs(Float32Array.from(values));
}

/** Repeatable bytes all over 0 .. 255. */
export function bytes(length: number, seed: number): Uint8Array {
  return Uint8Array.from({ length }, (_, i) => (Math.imul(i + seed, 2654435761) >>> 13) & 255);
}

/** Repeatable floats, evenly between -most and most. */
export function floats(length: number, seed: number, most: number): Float32Array {
  return Float32Array.from({ length }, (_, i) => ((Math.imul(i + seed, 2654435761) >>> 8) / 2 ** 23 - 1) * most);
}

const bytesOf = (array: Array) => new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
