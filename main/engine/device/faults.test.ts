/**
 * Faults of devices, injected by a real execution provider library that is never shipped: whatever it does, the list of devices
 * says so and the answer comes from the processor.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { DeviceInfo, DeviceProblem, GenerateResult, LoadedModel, Placement } from '../../../contract/engine.ts';
import { english } from '../../../contract/phrase.ts';
import { loadNative } from '../../../native/js/load.ts';
import {
  FAULT_DEVICE,
  FAULT_PROVIDER,
  type Fault,
  FaultDevice,
  folderWith,
} from '../../../native/js/testing/fault-device.ts';
import type { Engine } from '../engine.ts';
import { GREEDY } from '../session/sampler.ts';
import { realModelEngine, realModelPath } from '../testdata/real-model.ts';
import { compileGraph } from './compile-graph.ts';
import { DeviceRegistry } from './registry.ts';
import { linearTest, pilotTest } from './self-test/graphs.ts';

const native = loadNative();
/** Three chunks. */
const PROMPT = 'The old lighthouse keeper counted ships, gulls and storms, and wrote each of them down. '.repeat(16);
const scratch: string[] = [];
let device: FaultDevice;
beforeAll(async () => {
  device = await FaultDevice.make();
  scratch.push(device.folder);
}, 900_000);
beforeEach(() => device.show(''));
afterAll(() => {
  for (const folder of scratch) rmSync(folder, { recursive: true, force: true });
});

function temporary(): string {
  const folder = mkdtempSync(join(tmpdir(), 'shadownpu-faults-'));
  scratch.push(folder);
  return folder;
}

function own(devices: DeviceInfo[]): DeviceInfo | undefined {
  return devices.find(({ executionProvider }) => executionProvider === FAULT_PROVIDER);
}

describe('a library that cannot be used is listed with the reason', () => {
  async function listed(folder: string): Promise<DeviceInfo | undefined> {
    scratch.push(folder);
    const devices = new DeviceRegistry(native, { libraryFolders: [folder], selfTestsDir: temporary() }).list();
    expect(devices.find(({ type }) => type === 'CPU')?.usable).toBe(true);
    return own(devices);
  }

  test('missing', async () => {
    expect(await listed(folderWith())).toBeUndefined();
  });

  test('of another architecture', async () => {
    const foreign = process.arch === 'x64' ? 'arm64' : 'x64';
    const file = join(dirname(require.resolve('onnxruntime-node/package.json')), 'bin/napi-v6/linux', foreign);
    const found = await listed(folderWith(join(file, 'libonnxruntime.so.1')));
    expect(found).toMatchObject({ usable: false });
    expect(found?.reason).toMatch(/another kind of machine/);
  });

  test.for<[Fault, RegExp]>([
    ['register fail', /could not be registered: .*injected failure/],
    ['register throw', /could not be registered: .*injected exception/],
    ['register crash', /crashed when it was tried/],
  ])('%s', async ([fault, reason]) => {
    const found = await listed((await FaultDevice.make(fault)).folder);
    expect(found).toMatchObject({ usable: false });
    expect(found?.reason).toMatch(reason);
    expect(found?.remedy).toBeTruthy();
  });
});

describe('the self-test', () => {
  const registry = () => new DeviceRegistry(native, { libraryFolders: [device.folder], selfTestsDir: temporary() });

  test('passes while nothing is wrong', async () => {
    const found = own(await registry().selfTest(FAULT_DEVICE));
    expect(found).toMatchObject({
      id: FAULT_DEVICE,
      type: 'NPU',
      usable: true,
      virtual: false,
      selfTest: { passed: true },
    });
    expect(found?.vendor).toBe('fault-injection test device');
  });

  test.for<[Fault, RegExp]>([
    ['create fail', /injected failure/],
    ['create throw', /crashed/],
    ['create crash', /crashed \(opening the pilot graph/],
    ['create hang', /did not answer within \d+ s \(opening the pilot graph\)/],
    ['run nan', /wrong results/],
    ['run nan 3', /wrong results/],
    ['run lost 2', /injected loss of the device/],
    ['run throw', /injected exception/],
    ['run crash 1', /crashed \(running the pilot graph/],
    ['run hang 1', /did not answer within \d+ s \(running the pilot graph\)/],
  ])('%s', async ([fault, reason]) => {
    device.show(fault);
    const devices = registry();
    const found = own(await devices.selfTest(FAULT_DEVICE, fault.includes('hang') ? { limitMs: 6000 } : {}));
    expect(found).toMatchObject({ usable: false, selfTest: { passed: false } });
    expect(found?.reason).toMatch(reason);
    expect(() => devices.open(FAULT_DEVICE)).toThrow(expect.objectContaining({ kind: 'device-unusable' }));
  });
});

test('of graphs compiled elsewhere the first that the device opens is taken over', () => {
  const open = new DeviceRegistry(native, { libraryFolders: [device.folder] }).openForTest(FAULT_DEVICE)?.open;
  if (open === undefined) throw new Error('the test device is not listed');
  const folder = temporary();
  const at = (name: string) => join(folder, `${name}.onnx`);
  const [graph, damaged, good, output] = [at('graph'), at('damaged'), at('good'), at('output')];
  const { model } = pilotTest();
  writeFileSync(graph, model);
  writeFileSync(damaged, model.subarray(0, model.length / 2));
  writeFileSync(good, linearTest('float32').model);
  compileGraph(native, open, { graph, output, prebuilt: [damaged, good] });
  expect(readFileSync(output)).toEqual(readFileSync(good));
});

describe('a whole answer comes from the processor', { timeout: 180_000 }, () => {
  const TOKENS = 3;
  let engine: Engine;
  let expected: string;
  beforeAll(async () => {
    const plain = realModelEngine();
    await plain.load({ model: realModelPath(), weights: 'fast', contextSize: 1024, threads: 2 });
    expected = (await ask(plain, 'full')).text;
    await plain.close();
    // The graphs are written once and kept with the imported model.
    await load({ linear: FAULT_DEVICE });
    await engine.close();
  }, 900_000);
  afterEach(() => engine.close());

  /** Loads into an engine that knows of no earlier failure, with little patience where the device is going to hang. */
  function load(parts: Partial<Placement>, fault: Fault = ''): Promise<LoadedModel> {
    const patience = fault.includes('hang') ? { devicePatienceMs: 5000 } : {};
    engine = realModelEngine({ libraryFolder: device.folder, selfTestsDir: temporary(), ...patience });
    const placement: Placement = {
      linear: 'cpu',
      pilot: 'cpu',
      decode: 'cpu',
      avoidGpu: false,
      saveBattery: false,
      ...parts,
    };
    return engine.load({ model: realModelPath(), weights: 'fast', contextSize: 1024, threads: 2, placement });
  }

  function ask(answerer: Engine, mode: 'full' | 'shadow'): Promise<GenerateResult> {
    const prompt = { kind: 'raw' as const, text: PROMPT };
    return answerer.generate({
      prompt,
      sampling: { ...GREEDY, maxTokens: TOKENS },
      attention: { mode, ratio: mode === 'full' ? 1 : 0.2 },
    });
  }

  function launches({ work = [] }: GenerateResult, part: string): number {
    return work.find((one) => one.part === part && one.device === FAULT_DEVICE)?.launches ?? 0;
  }

  const told = (problems: readonly DeviceProblem[] = []) =>
    problems.map(({ device, part, reason }) => [device, part, english(reason)]);

  test.for<[Fault, RegExp]>([
    ['create fail', /injected failure/],
    ['create hang', /did not open a graph/],
  ])('%s: when the model is loaded', async ([fault, reason]) => {
    device.show(fault);
    const { places, deviceProblems } = await load({ linear: FAULT_DEVICE }, fault);
    expect(places?.find(({ part }) => part === 'linear')).toMatchObject({ device: 'cpu' });
    expect(told(deviceProblems)).toEqual([[FAULT_DEVICE, 'linear', expect.stringMatching(reason)]]);
    expect((await ask(engine, 'full')).text).toBe(expected);
  });

  // The first run of an answer is the one that fails, so that every value of it is the processor's.
  test.for<[Fault, RegExp]>([
    ['run lost', /injected loss of the device/],
    ['run nan', /not numbers/],
    ['run hang', /did not answer/],
  ])('%s: in the linear parts', async ([fault, reason]) => {
    await load({ linear: FAULT_DEVICE }, fault);
    device.show(fault);
    const result = await ask(engine, 'full');
    expect(told(result.deviceProblems)).toEqual([[FAULT_DEVICE, 'linear', expect.stringMatching(reason)]]);
    expect(launches(result, 'linear')).toBe(0);
    expect(result.text).toBe(expected);
    const listed = own(engine.devices());
    expect(listed?.reason).toMatch(reason);
    expect(listed?.usable).toBe(false);
  });

  test('losing it in the middle of an answer: the processor goes on from there', async () => {
    const { places } = await load({ linear: FAULT_DEVICE });
    expect(places?.find(({ part }) => part === 'linear')).toMatchObject({ device: FAULT_DEVICE });
    device.show('run lost 40');
    const result = await ask(engine, 'full');
    expect(launches(result, 'linear')).toBe(40);
    expect(result.deviceProblems).toHaveLength(1);
    expect(result.completionTokens).toBe(TOKENS);
    // The next answer does not ask it again.
    const next = await ask(engine, 'full');
    expect(launches(next, 'linear')).toBe(0);
  });

  test.for<Fault>(['run lost', 'run lost 3', 'run throw'])('%s: as the pilot', async (fault) => {
    await load({ pilot: FAULT_DEVICE });
    device.show(fault);
    const result = await ask(engine, 'shadow');
    expect(told(result.deviceProblems)).toEqual([[FAULT_DEVICE, 'pilot', expect.stringMatching(/injected/)]]);
    expect(result.attention.pilotProblem).toMatch(/injected/);
    expect(result.completionTokens).toBe(TOKENS);
  });
});
