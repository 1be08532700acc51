/**
 * The vendors' compilers under wine on a machine without their NPUs: the pilot's graph and a real linear block become compiled
 * graphs for a Snapdragon X and for an Intel NPU. Qualcomm's simulator also runs what was compiled.
 */
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { NPU_TARGETS, type NpuTarget } from '../../../main/engine/device/npu-targets.ts';
import { type Emulator, emulatorOf } from '../../../scripts/emulators/emulators.mjs';
import { runJob } from '../../../scripts/emulators/job.mjs';
import { buildNative } from '../../build.mjs';
import { type Case, difference, greatest, ONLY_THE_DEVICE, onCpu, onDevice } from './device-run.ts';
import { linearBlock } from './linear-block.ts';
import { pilotCase } from './pilot-case.ts';
import { libraryOf } from './provider-libraries.ts';

const TARGET = 'win32-x64';
const UNFETCHED = 'the libraries for win32-x64 have not been fetched (npm run providers -- --platform win32-x64)';
const folder = mkdtempSync(join(tmpdir(), 'shadownpu-compile-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let emulator: Emulator | string = '';
beforeAll(async () => {
  emulator = await emulatorOf(TARGET, console.error);
  if (typeof emulator !== 'string') await buildNative({ target: TARGET });
});

function target(name: string): NpuTarget {
  const known = NPU_TARGETS[name];
  if (known === undefined) throw new Error(`there is no target ${name}`);
  return known;
}

/** Path of the compiled graph. Throws what the compiler says. */
async function compile(wine: Emulator, npu: NpuTarget, file: string, one: Case): Promise<string> {
  const path = join(mkdtempSync(join(folder, 'out-')), 'compiled.onnx');
  const { runs } = await runJob(wine, TARGET, {
    libraries: [{ name: npu.registration, file }],
    runs: [
      {
        graph: one.graph,
        device: npu.executionProvider,
        ...(npu.npuPlatform === undefined ? {} : { metadata: { npu_platform: npu.npuPlatform } }),
        epOptions: npu.epOptions,
        config: {
          ...one.config,
          ...ONLY_THE_DEVICE,
          'ep.context_enable': '1',
          'ep.context_embed_mode': '1',
          'ep.context_file_path': wine.path(path),
        },
        inputs: [],
        outputs: [],
      },
    ],
  });
  // Virtual devices compile and then refuse to open.
  if (!existsSync(path)) throw new Error(runs[0]?.error ?? 'nothing was compiled');
  console.log(`${npu.name}: ${readFileSync(path).length} bytes, ${runs[0]?.openMs ?? '?'} ms`);
  expect(readFileSync(path).includes('EPContext')).toBe(true);
  return path;
}

test.for(['pilot', 'block'])('a %s for a Snapdragon X, which its simulator runs', async (what, { skip }) => {
  const file = libraryOf(TARGET, 'qnn');
  if (typeof emulator === 'string') return skip(emulator);
  if (file === undefined) return skip(UNFETCHED);
  const npu = target('sc8380xp');
  const one = what === 'pilot' ? pilotCase(folder) : await linearBlock('w8a16');
  const graph = await compile(emulator, npu, file, one);
  const { outcomes } = await onDevice(emulator, TARGET, folder, { name: npu.executionProvider, file }, [
    { ...one, compiled: graph, epOptions: npu.epOptions },
  ]);
  expect(outcomes[0]?.error).toBeUndefined();
  for (const [i, expected] of onCpu(one).values.entries()) {
    const { worst } = difference(outcomes[0]?.values?.[i] ?? new Float32Array(0), expected);
    expect(worst).toBeLessThanOrEqual(what === 'pilot' ? 1 : greatest(expected) / 255);
  }
});

test.for(['pilot', 'block'])('a %s for an Intel NPU 4000', async (what, { skip }) => {
  const file = libraryOf(TARGET, 'openvino');
  if (typeof emulator === 'string') return skip(emulator);
  if (file === undefined) return skip(UNFETCHED);
  const npu = target('intel-npu-4000');
  await compile(emulator, npu, file, what === 'pilot' ? pilotCase(folder) : await linearBlock(npu.flavour));
});
