/** The last prompt by tables of costs, on the real model: sums by hand, and what each switch does. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { CostTableFile, Switches, WhatIf } from '../../../contract/what-if.ts';
import noTime from '../../../resources/cost-tables/no-time.json' with { type: 'json' };
import paperNpu from '../../../resources/cost-tables/paper-npu.json' with { type: 'json' };
import paperPhone from '../../../resources/cost-tables/paper-phone.json' with { type: 'json' };
import { COST_ROWS } from '../attention/planner/costs.ts';
import type { Profile } from '../calibration/profile.ts';
import type { Engine } from '../engine.ts';
import { heldOutTexts } from '../eval/texts.ts';
import { GREEDY } from '../session/sampler.ts';
import { realModelEngine, realModelPath } from '../testdata/real-model.ts';
import { whatIfOf } from './what-if.ts';

const LAYERS = 30;
const HEADS = 9;
const ON: Switches = { planner: true, pipeline: true, fuse: true, buckets: true };
const OFF: Switches = { planner: false, pipeline: false, fuse: false, buckets: true };
const UNIFORM = { mode: 'shadow', ratio: 0.2, ratios: 'uniform', minKeys: 1 } as const;

let engine: Engine;
let tokens = 0;

async function ask(attention: Parameters<Engine['generate']>[0]['attention']): Promise<void> {
  engine.model.cache.truncate(0);
  const text = ((await heldOutTexts())[0]?.text ?? '').slice(0, 1500);
  const sampling = { ...GREEDY, maxTokens: 1 };
  tokens = (await engine.generate({ prompt: { kind: 'raw', text }, sampling, attention })).promptTokens;
}

beforeAll(async () => {
  engine = realModelEngine();
  await engine.load({ model: realModelPath(), weights: 'fast', contextSize: 1024, threads: 2 });
  await ask(UNIFORM);
}, 600_000);
afterAll(() => engine?.close());

function whatIf(costs: CostTableFile, switches: Switches = ON, profile?: Profile): WhatIf {
  const found = whatIfOf(engine.model, { costs, switches, layer: 3, pass: 1 }, profile);
  if (found === undefined) throw new Error('nothing is told');
  return found;
}

/** Passes of 128 rows: keys that the last row sees, and rows. */
const passes = () =>
  Array.from({ length: Math.ceil(tokens / 128) }, (_, i) => {
    const rows = Math.min(128, tokens - 128 * i);
    return { keys: 128 * i + rows, rows };
  });

describe("the paper's phone", () => {
  test('everything off is the sum of all launches and stages', () => {
    // For 128 rows and 2048 keys: a launch of one head 2 ms, selection 1 ms, attention 8.25 ms times the share that is kept.
    const ms = passes().map(({ keys, rows }) => {
      const kept = Math.floor(0.2 * keys + 0.5) / keys;
      return (keys / 2048) * (2 + (1 + 8.25 * kept) * (rows / 128));
    });
    const expected = LAYERS * HEADS * ms.reduce((sum, each) => sum + each, 0);
    const found = whatIf(paperPhone, OFF);
    expect(found.passes.map(({ rows }) => rows)).toEqual(passes().map(({ rows }) => rows));
    expect(found.total).toBeCloseTo(expected, 6);
    expect(found.allOff).toBeCloseTo(expected, 6);
    expect(found.layers.reduce((sum, each) => sum + each, 0)).toBeCloseTo(found.total, 6);
  });

  test('each part of the method is worth something or nothing, never less; nothing beats the longest stage', () => {
    const { total, allOn, allOff } = whatIf(paperPhone);
    expect(total).toBe(allOn);
    expect(allOff / allOn).toBeGreaterThan(1.5);
    for (const name of ['planner', 'pipeline', 'fuse'] as const) {
      const without = whatIf(paperPhone, { ...ON, [name]: false }).total;
      expect(without).toBeGreaterThanOrEqual(allOn - 1e-9);
      expect(without).toBeLessThanOrEqual(allOff + 1e-9);
    }
    // Without buckets launches are as wide as the device takes them: nine heads make 4, 4 and 1.
    const mixed = whatIf(paperPhone, { ...ON, buckets: false }).plan.heads;
    expect(new Set(mixed.map(({ launch }) => launch)).size).toBe(3);
    const attention = passes().map(
      ({ keys, rows }) => (keys / 2048) * 8.25 * (Math.floor(0.2 * keys + 0.5) / keys) * (rows / 128),
    );
    expect(allOn).toBeGreaterThan(LAYERS * HEADS * attention.reduce((sum, each) => sum + each, 0));
  });

  test('the plan of a layer: every head once, stages in their order, one at a time in each lane', () => {
    for (const switches of [ON, OFF, { ...ON, planner: false }]) {
      const { heads, makespan } = whatIf(paperPhone, switches).plan;
      expect(heads.map(({ head }) => head).sort()).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8]);
      for (const [i, { pilot, topk, qkv }] of heads.entries()) {
        expect(topk.start).toBeGreaterThanOrEqual(pilot.end);
        expect(qkv.start).toBeGreaterThanOrEqual(topk.end);
        expect(topk.start).toBeGreaterThanOrEqual(heads[i - 1]?.topk.end ?? 0);
        expect(qkv.start).toBeGreaterThanOrEqual(heads[i - 1]?.qkv.end ?? 0);
      }
      expect(heads.at(-1)?.qkv.end).toBeCloseTo(makespan, 9);
      const launches = new Map(heads.map(({ launch, pilot }) => [launch, pilot.start]));
      for (const { launch, pilot } of heads) expect(pilot.start).toBe(launches.get(launch));
      expect(launches.size).toBe(new Set(heads.map(({ pilot }) => pilot.start)).size);
      if (!switches.fuse) expect(launches.size).toBe(HEADS);
      else expect(launches.size).toBeLessThan(HEADS);
    }
    const { heads } = whatIf(paperPhone, OFF).plan;
    for (const [i, { pilot }] of heads.entries()) expect(pilot.start).toBeCloseTo(heads[i - 1]?.qkv.end ?? 0, 9);
  });
});

describe("this machine's stages", () => {
  /** Ten times as long for ten times the keys, so that every length is a straight line. */
  const profile: Profile = {
    formatVersion: 1,
    key: { device: 'CPU', driver: '1', ort: '1', cpu: 'A processor', isa: 'avx2', addon: '1' },
    measured: '2026-11-30T00:00:00Z',
    rows: COST_ROWS,
    headDim: 64,
    keys: [100, 1000],
    shares: [0.1, 1],
    ms: {
      full: [0.05, 0.5],
      pilot: [0.01, 0.1],
      topk: [
        [1, 1],
        [1, 1],
      ],
      select: [
        [0.02, 0.02],
        [0.2, 0.2],
      ],
      sparse: [
        [0.03, 0.03],
        [0.3, 0.3],
      ],
      shadow: [
        [1, 1],
        [1, 1],
      ],
    },
  };

  test('stand in where a table has none, and are missed where they were not measured', () => {
    expect(whatIfOf(engine.model, { costs: paperNpu, switches: ON, layer: 0, pass: 0 })).toBeUndefined();
    expect(whatIfOf(engine.model, { costs: 'machine', switches: ON, layer: 0, pass: 0 })).toBeUndefined();
    expect(whatIf(paperNpu, ON, profile).processorSource).toBe('A processor');
    const work = passes().reduce((sum, { keys, rows }) => sum + (keys * rows) / 128, 0);
    // With a device that takes no time, nothing overlapping: selection 0.2 us a key, attention 0.3 us, all rows 0.5 us.
    const found = whatIf(noTime, OFF, profile);
    expect(found.total).toBeCloseTo(LAYERS * HEADS * work * 0.0005, 6);
    expect(found.dense).toBeCloseTo(LAYERS * HEADS * work * 0.0005, 6);
    expect(whatIf(noTime, ON, profile).total).toBeGreaterThan(LAYERS * HEADS * work * 0.0003);
  });
});

test('attention that chooses no keys has no plan', async () => {
  await ask({ mode: 'full', ratio: 1 });
  expect(whatIfOf(engine.model, { costs: paperPhone, switches: ON, layer: 0, pass: 0 })).toBeUndefined();
}, 120_000);
