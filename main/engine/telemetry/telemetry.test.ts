/** What the engine says of its own work adds up, on the real model: times, kept keys, tokens. */
import { statSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { AttentionOptions, TracedAnswer } from '../../../contract/engine.ts';
import { FACTS, type Span, STAGES, spanAt } from '../../../contract/trace.ts';
import type { Engine } from '../engine.ts';
import { heldOutTexts } from '../eval/texts.ts';
import { GREEDY } from '../session/sampler.ts';
import { realModelEngine, realModelPath } from '../testdata/real-model.ts';
import { ENGINE_LANE, PILOT_LANE } from './trace-log.ts';

const EXACT20 = { mode: 'shadow', ratio: 0.2, ratios: 'uniform', minKeys: 1, reach: 0, exactSelection: true } as const;

const EVERY = { layer: null, head: null };

let engine: Engine;
/** About a thousand tokens. */
let text: string;

beforeAll(async () => {
  engine = realModelEngine();
  text = ((await heldOutTexts())[0]?.text ?? '').slice(0, 4200);
  await engine.load({ model: realModelPath(), weights: 'fast', contextSize: 2048, threads: 2 });
}, 600_000);
afterAll(() => engine?.close());

/** Answers the text, nothing cached. @returns the trace and what the caller measured */
async function traced(attention: AttentionOptions): Promise<TracedAnswer & { wallMs: number; spans: Span[] }> {
  engine.model.cache.truncate(0);
  const start = performance.now();
  await engine.generate({
    prompt: { kind: 'raw', text: text },
    sampling: { ...GREEDY, maxTokens: 8 },
    attention,
  });
  const wallMs = performance.now() - start;
  const traced = engine.trace();
  if (traced === undefined) throw new Error('no trace');
  const { trace } = traced;
  const spans = Array.from({ length: trace.facts.length / FACTS.length }, (_, i) => spanAt(trace, i));
  return { ...traced, wallMs, spans };
}

const named = (spans: readonly Span[], ...stages: string[]) =>
  spans.filter(({ stage }) => stages.includes(STAGES[stage] ?? ''));
const sum = (values: Iterable<number>) => [...values].reduce((total, value) => total + value, 0);
/** Time of spans; the heads of a launch share one. */
const duration = (spans: readonly Span[]) =>
  sum(new Map(spans.map(({ start, end }) => [`${start} ${end}`, end - start])).values());

describe.each([
  ['shadow in one call', { mode: 'shadow', ratio: 0.07 }],
  ['shadow with a simulated device', { mode: 'shadow', ratio: 0.2, pilot: 'simulated' }],
  ['sparse', { mode: 'sparse', ratio: 0.2 }],
  ['block', { mode: 'block', ratio: 0.2 }],
  ['full', { mode: 'full', ratio: 1 }],
] as const)('%s', (_, attention) => {
  let run: Awaited<ReturnType<typeof traced>>;
  beforeAll(async () => {
    run = await traced(attention);
  }, 120_000);

  test('the stages of each lane add up to the time it was at work', () => {
    const { trace, figures, spans } = run;
    expect(trace.dropped).toBe(0);
    expect(trace.lanes.map(({ kind }) => kind)).toEqual(
      'pilot' in attention ? ['engine', 'worker', 'pilot'] : ['engine', 'worker'],
    );
    for (const { lane, busyMs } of trace.lanes) {
      const stages = duration(spans.filter((span) => span.lane === lane && STAGES[span.stage] !== 'decode'));
      expect(stages / busyMs).toBeGreaterThan(0.98);
      expect(stages / busyMs).toBeLessThanOrEqual(1.001);
      expect(busyMs).toBeLessThan(1020 * figures.prefill.seconds);
    }
  });

  test('nothing of a lane overlaps, and all of it lies within the answer', () => {
    const { trace, figures, spans } = run;
    const totalMs = 1000 * (figures.prefill.seconds + figures.decode.seconds);
    for (const { lane } of trace.lanes) {
      const own = spans.filter((span) => span.lane === lane && STAGES[span.stage] !== 'launch');
      const unique = [...new Map(own.map((span) => [span.start, span])).values()].sort((a, b) => a.start - b.start);
      for (const [i, span] of unique.entries()) {
        expect(span.end).toBeGreaterThanOrEqual(span.start);
        expect(span.start).toBeGreaterThanOrEqual((unique[i - 1]?.end ?? 0) - 0.01);
      }
      expect(unique.at(-1)?.end ?? 0).toBeLessThanOrEqual(totalMs + 1);
    }
  });

  test("the answer's total is the time that the caller waited", () => {
    const { figures, wallMs } = run;
    const { totalMs = 0 } = figures;
    expect(totalMs / wallMs).toBeGreaterThan(0.98);
    expect(totalMs).toBeLessThanOrEqual(wallMs);
    expect(figures.firstTokenMs).toBeGreaterThanOrEqual(1000 * figures.prefill.seconds);
  });

  test("the answer's work is that of the spans", () => {
    const { figures, spans } = run;
    const parts = { linear: ['linear'], topk: ['topk'], sparse: ['sparse'], dense: ['dense'] };
    for (const { part, device, ms } of figures.work ?? []) {
      if (device !== 'CPU' || !(part in parts)) continue;
      const own = named(spans, ...parts[part as keyof typeof parts]).filter(({ lane }) => lane !== PILOT_LANE);
      expect(sum(own.map(({ start, end }) => end - start)) / ms).toBeCloseTo(1, 2);
    }
  });

  test('every head of every layer has each of its rows attended once', () => {
    const { trace, figures, spans } = run;
    const rows = new Map<string, number>();
    for (const span of named(spans, 'sparse', 'dense')) {
      for (let head = span.head; head < span.head + span.heads; head++) {
        const key = `${span.layer} ${head}`;
        rows.set(key, (rows.get(key) ?? 0) + span.rows);
      }
    }
    expect(rows.size).toBe(trace.layers * trace.heads);
    expect(new Set(rows.values())).toEqual(new Set([figures.promptTokens]));
  });
});

describe('kept keys', () => {
  test('exact selection keeps the planned share of every head; a token its share of rows', async () => {
    const { trace, figures } = await traced(EXACT20);
    for (const [i, planned] of trace.plannedShare.entries()) {
      expect(planned).toBeCloseTo(0.2, 2);
      expect(trace.keptShare[i]).toBeCloseTo(planned, 6);
    }
    const all = engine.keptTokens(EVERY);
    expect(all?.tokens.join('')).toBe(text);
    // Each pass's first tile has a row in eight counted; the last row of all is dense.
    expect(all?.rows).toBe(8 * Math.ceil(figures.promptTokens / 128));
    for (const share of all?.share ?? []) if (!Number.isNaN(share)) expect(share >= 0 && share <= 1).toBe(true);
    // By hand: visible keys of the sampled rows, and a fifth of them kept.
    const rows = Array.from({ length: all?.rows ?? 0 }, (_, i) => Math.floor(i / 8) * 128 + (i % 8) * 8);
    const expected = sum(rows.map((position) => Math.floor(0.2 * (position + 1) + 0.5) || 1));
    const seen = (key: number) => rows.filter((position) => position >= key).length;
    const kept = sum(Array.from(all?.share ?? [], (share, key) => (seen(key) === 0 ? 0 : share * seen(key))));
    expect(kept).toBeCloseTo(expected, 0);
  }, 120_000);

  test('the one-call path: counts of its heads and of its tokens agree with its spans', async () => {
    const { trace, figures, spans } = await traced({ mode: 'shadow', ratio: 0.07 });
    const spansKept = sum(named(spans, 'topk').map(({ kept }) => kept));
    const chose = engine.model.keptCounts.chose(0, figures.promptTokens);
    const visible = sum(chose.map((position) => position + 1));
    expect(sum(trace.keptShare) * visible).toBeCloseTo(spansKept, -2);
    expect(sum(trace.plannedShare) / trace.plannedShare.length).toBeGreaterThan(0.07);
    const one = engine.keptTokens({ layer: 12, head: 0 });
    const head = trace.keptShare[12 * trace.heads] ?? 0;
    expect(sum(Array.from(one?.share ?? []).filter((share) => share > 0)) / figures.promptTokens).toBeGreaterThan(
      head / 4,
    );
    // The first token is a sink for many heads.
    expect(engine.keptTokens(EVERY)?.share[0]).toBeGreaterThan(0.5);
  }, 120_000);

  test('dense attention chooses no keys', async () => {
    const { trace } = await traced({ mode: 'full', ratio: 1 });
    expect(trace.keptShare.every(Number.isNaN)).toBe(true);
    expect(engine.keptTokens(EVERY)?.share.every(Number.isNaN)).toBe(true);
    expect(engine.keptTokens(EVERY)?.rows).toBe(0);
  }, 120_000);
});

test('a lane of the engine is there from the start, and decoded tokens are spans of it', async () => {
  const { figures, spans } = await traced({ mode: 'full', ratio: 1 });
  const decoded = named(spans, 'decode');
  expect(decoded.length).toBe(figures.completionTokens - 1);
  expect(new Set(decoded.map(({ lane }) => lane))).toEqual(new Set([ENGINE_LANE]));
}, 120_000);

test('usage: the weights file is counted with its embedding, which is the output matrix too', () => {
  const { memory } = engine.usage() ?? {};
  expect(memory?.weightsBytes).toBe(statSync(path.join(engine.model.bundle.dir, 'weights.bin')).size);
  expect(memory?.kvUsedBytes).toBeLessThanOrEqual(memory?.kvBytes ?? 0);
});

test('a request aside leaves the trace of the answer before', async () => {
  const { trace } = await traced({ mode: 'shadow', ratio: 0.2, ratios: 'uniform' });
  await engine.generate({
    prompt: { kind: 'raw', text: 'A title:' },
    sampling: { ...GREEDY, maxTokens: 2 },
    attention: { mode: 'full', ratio: 1 },
    aside: true,
  });
  expect(engine.trace()?.trace).toEqual(trace);
}, 120_000);

describe('the prompt run again with plans and without', () => {
  const attentionOf = (spans: readonly Span[]) => {
    const extents = new Map<string, [number, number]>();
    for (const { layer, position, start, end } of named(spans, 'launch', 'pilot', 'topk', 'sparse')) {
      const key = `${layer} ${Math.floor(position / 128)}`;
      const [from, to] = extents.get(key) ?? [start, end];
      extents.set(key, [Math.min(from, start), Math.max(to, end)]);
    }
    return sum([...extents.values()].map(([from, to]) => to - from));
  };

  test('launches are fused and overlap with the plans only; the trace of the answer stays', async () => {
    await traced({ mode: 'shadow', ratio: 0.07 });
    const before = engine.trace();
    const kept = engine.keptTokens(EVERY);
    const progress: [number, number][] = [];
    const replay = await engine.replay('simulated', { onPrefill: (...told) => progress.push(told) });
    expect(engine.trace()).toEqual(before);
    expect(engine.keptTokens(EVERY)).toEqual(kept);
    if (replay === undefined) throw new Error('nothing was run');
    const all = [replay.planned, replay.unplanned].map(({ trace: { facts, times } }) =>
      Array.from({ length: facts.length / FACTS.length }, (_, i) => spanAt({ facts, times }, i)),
    );
    const [planned = [], unplanned = []] = all;
    for (const { figures, trace } of [replay.planned, replay.unplanned]) {
      expect(figures).toMatchObject({ cachedTokens: 0, promptTokens: before?.figures.promptTokens });
      expect(figures.attention.pilotDevice).toBe('simulated');
      expect(trace.dropped).toBe(0);
      expect(trace.lanes.map(({ kind }) => kind)).toEqual(['engine', 'worker', 'pilot']);
    }
    const first = (spans: readonly Span[], ...stages: string[]) =>
      named(spans, ...stages).filter(({ layer, position }) => layer === 3 && position >= 128 && position < 256);
    // Nine heads: launches of four, four and one, or nine of one.
    expect(new Set(first(planned, 'launch').map(({ start }) => start)).size).toBe(3);
    const alone = first(unplanned, 'launch').sort((a, b) => a.start - b.start);
    expect(alone.map(({ head }) => head)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8]);
    for (const { head, end } of first(unplanned, 'sparse')) {
      for (const { start } of alone.filter((launch) => launch.head > head)) expect(start).toBeGreaterThanOrEqual(end);
    }
    expect(attentionOf(planned)).toBeLessThan(attentionOf(unplanned));
    expect(replay.planned.predictedMs).toBeGreaterThan(0);
    expect(replay.planned.predictedMs).toBeLessThan(replay.unplanned.predictedMs);
    const [done, total] = progress.at(-1) ?? [];
    expect(done).toBe(total);
    expect(progress.every(([each], i) => each >= (progress[i - 1]?.[0] ?? 0))).toBe(true);
  }, 240_000);

  test('stopped: the trace of the answer stays', async () => {
    const before = engine.trace();
    const stop = new AbortController();
    const replay = engine.replay('simulated', { signal: stop.signal, onPrefill: (done) => done > 300 && stop.abort() });
    await expect(replay).rejects.toMatchObject({ kind: 'cancelled' });
    expect(engine.trace()).toEqual(before);
  }, 60_000);

  test('attention that keeps every key has no plans', async () => {
    await traced({ mode: 'full', ratio: 1 });
    expect(await engine.replay('simulated')).toBeUndefined();
  }, 60_000);
});
