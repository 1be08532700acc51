/** Hands work to guest.cjs in an emulator and brings back what it found. Paths of a job are this machine's. */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT } from '../setup/paths.mjs';

/**
 * @typedef {{ type: 'uint8' | 'float32', dims: number[], file: string }} GuestTensor raw bytes, row-major
 * @typedef {object} GuestRun
 * @property {string} graph
 * @property {string} device name of the execution provider whose first device runs it
 * @property {Record<string, string>} [metadata] of the device that is meant where the provider has several
 * @property {Record<string, string>} config session config entries
 * @property {Record<string, string>} epOptions
 * @property {GuestTensor[]} inputs
 * @property {GuestTensor[]} outputs written by the guest; none: the graph is opened only
 *
 * @typedef {object} GuestJob
 * @property {string} addon
 * @property {string} ort
 * @property {{ name: string, file: string }[]} libraries of execution providers
 * @property {GuestRun[]} runs
 * @property {string} result where the guest writes
 *
 * @typedef {object} GuestResult
 * @property {string} node version
 * @property {string} platform
 * @property {string} arch
 * @property {string[]} isas instruction sets
 * @property {number} maxAbs of 1, -3 and 2 by the addon
 * @property {string} ort version of ONNX Runtime
 * @property {{ name: string, error?: string }[]} libraries
 * @property {import('../../native/js/index.ts').EpDevice[]} devices
 * @property {{ error?: string, openMs?: number, runMs?: number }[]} runs
 */

const ORT_NAMES = /** @type {Record<string, string>} */ ({ win32: 'onnxruntime.dll', linux: 'libonnxruntime.so.1' });

/**
 * @param {import('./emulators.mjs').Emulator} emulator
 * @param {string} target
 * @param {Pick<GuestJob, 'libraries' | 'runs'>} [work] nothing: the addon and ONNX Runtime are loaded
 * @returns {Promise<GuestResult>}
 * @throws {Error} with the guest's last words where it did not come to its end
 */
export async function runJob(emulator, target, work = { libraries: [], runs: [] }) {
  const { path } = emulator;
  const [platform = '', arch = ''] = target.split('-');
  const folder = mkdtempSync(join(tmpdir(), 'shadownpu-job-'));
  const ort = join(
    ROOT,
    'node_modules',
    'onnxruntime-node',
    'bin',
    'napi-v6',
    platform,
    arch,
    ORT_NAMES[platform] ?? '',
  );
  /** @param {GuestTensor} tensor */
  const inside = (tensor) => ({ ...tensor, file: path(tensor.file) });
  /** @type {GuestJob} */
  const job = {
    addon: path(join(ROOT, 'native', 'build', target, 'shadownpu.node')),
    ort: path(ort),
    libraries: work.libraries.map(({ name, file }) => ({ name, file: path(file) })),
    runs: work.runs.map((run) => ({
      ...run,
      graph: path(run.graph),
      inputs: run.inputs.map(inside),
      outputs: run.outputs.map(inside),
    })),
    result: path(join(folder, 'result.json')),
  };
  try {
    writeFileSync(join(folder, 'job.json'), JSON.stringify(job));
    const guest = path(join(ROOT, 'scripts', 'emulators', 'guest.cjs'));
    const { output } = await emulator.run(guest, [path(join(folder, 'job.json'))]);
    const file = join(folder, 'result.json');
    const result = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
    // Some libraries end the process badly after all is done, so the result decides.
    if (!result.done)
      throw new Error(`under ${emulator.name}: ${output.trim().slice(-2000)}\n${JSON.stringify(result)}`);
    return result;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
