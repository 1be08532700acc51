/**
 * Memory of the real engine process with the real model: what loading and use add is what was estimated, and unloading gives
 * it back. Read from /proc, hence on Linux only.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { WeightFlavour } from '../contract/engine.ts';
import { realModelEngine, realModelPath } from './engine/testdata/real-model.ts';
import { EngineProcess } from './engine-process.ts';
import { spawnReal } from './testing/real-engine.ts';

const scratch = mkdtempSync(join(tmpdir(), 'shadownpu-engine-memory-'));
let bundlesDir: string;
let engine: EngineProcess | undefined;
let pid = 0;

beforeAll(async () => {
  for (const weights of ['fast', 'exact'] as const) {
    const bundle = await realModelEngine().import({ model: realModelPath(), weights });
    bundle.close();
    bundlesDir = dirname(dirname(bundle.dir));
  }
}, 900_000);
afterEach(() => engine?.stop());
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

function start(): EngineProcess {
  const options = { modelsDir: dirname(realModelPath()), bundlesDir, profilesDir: join(scratch, 'profiles') };
  engine = new EngineProcess({
    spawn: spawnReal({ ...options, selfTestsDir: join(scratch, 'self-tests') }, (started) => {
      pid = started;
    }),
    log: () => undefined,
    changed: () => undefined,
  });
  engine.start();
  return engine;
}

/** Memory of the process that is shared with no other, in bytes. */
function privateBytes(): number {
  const rollup = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');
  const kilobytes = (key: string) => Number(new RegExp(`^${key}:\\s+(\\d+) kB`, 'm').exec(rollup)?.[1]);
  return 1024 * (kilobytes('Private_Dirty') + kilobytes('Private_Clean'));
}

/** Reads a prompt that fills most of the context. Returns how many tokens are in it then. */
async function fill(target: EngineProcess, contextSize: number): Promise<number> {
  const text = readFileSync(join(__dirname, '..', 'resources', 'eval', 'prose.txt'), 'utf8');
  const sampling = { temperature: 0, topK: 0, topP: 1, minP: 0, repetitionPenalty: 1, repetitionWindow: 0, stop: [] };
  const { promptTokens, completionTokens } = await target.generate(
    {
      // Prose has more than four letters a token.
      prompt: { kind: 'raw', text: text.slice(0, 4 * contextSize) },
      sampling: { ...sampling, maxTokens: 4 },
      // This form keeps copies of all keys; the default one may attend densely here, by what this machine is faster at.
      attention: { mode: 'shadow', ratio: 0.07, exactSelection: true },
    },
    { progress: () => undefined, delta: () => undefined },
  ).done;
  expect(promptTokens).toBeGreaterThan(0.8 * contextSize);
  return promptTokens + completionTokens;
}

describe.runIf(process.platform === 'linux')('memory of the engine process', () => {
  it.each<[WeightFlavour, number]>([
    ['fast', 4096],
    ['exact', 2048],
  ])(
    'is as estimated and comes back: %s weights, %i tokens',
    async (weights, contextSize) => {
      const target = start();
      const [{ id } = { id: '' }] = await target.models();
      const before = privateBytes();
      const { weightsBytes, kvBytes, scratchBytes } = await target.estimate({ model: id, weights, contextSize });
      await target.load({ model: id, weights, contextSize }, () => undefined);
      const tokens = await fill(target, contextSize);
      const grown = privateBytes() - before;
      const expected = weightsBytes + (kvBytes * tokens) / contextSize + scratchBytes;
      expect(grown / expected).toBeGreaterThan(0.85);
      expect(grown / expected).toBeLessThan(1.15);
      await target.unload();
      expect((privateBytes() - before) / grown).toBeLessThan(0.15);
      expect(await target.load({ model: id, weights, contextSize }, () => undefined)).toMatchObject({
        id,
        contextSize,
      });
    },
    300_000,
  );
});
