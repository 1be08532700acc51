/** A trace goes into its file and comes back; the file is what Chrome's trace format wants. */
import { expect, test } from 'vitest';
import type { TracedAnswer } from './engine.ts';
import { fromTraceFile, toTraceFile } from './trace-file.ts';

const speed = { seconds: 0.5, tokensPerSecond: 100 };
/** Head 0 and heads 2 and 3 of a launch on a device, attention of two heads in one call, and a block of projections. */
const TRACED: TracedAnswer = {
  trace: {
    request: 3,
    layers: 2,
    heads: 4,
    lanes: [
      { lane: 0, kind: 'engine', name: '', busyMs: 3 },
      { lane: 63, kind: 'pilot', name: 'simulated', busyMs: 2 },
    ],
    dropped: 7,
    facts: Int32Array.from(
      [
        [3, 63, 1, 0, 1, 128, 64, 0, 4],
        [3, 63, 1, 2, 1, 128, 64, 0, 4],
        [3, 63, 1, 3, 1, 128, 64, 0, 4],
        [5, 0, 1, 2, 2, 128, 64, 900, 0],
        [0, 0, 2, 0, 0, 128, 64, 0, 0],
      ].flat(),
    ),
    times: Float64Array.from([1, 3, 1, 3, 1, 3, 3.5, 4, 4, 5.25]),
    plannedShare: Float32Array.from([0.25, 0.5, Number.NaN, 1, 0.25, 0.5, 0.75, 1]),
    keptShare: Float32Array.from([0.25, 0.5, Number.NaN, 1, 0.25, 0.5, 0.75, 1]),
    importance: Float32Array.from([0, 1, 2, 3, 4, 5, 6, 7]),
  },
  figures: {
    promptTokens: 192,
    cachedTokens: 0,
    completionTokens: 2,
    finishReason: 'stop',
    prefill: speed,
    decode: speed,
    firstTokenMs: 500,
    attention: { mode: 'shadow', ratio: 0.2, pilotDevice: 'simulated' },
    device: 'CPU',
    model: 'Small',
    weights: 'fast',
  },
};

test('what is written comes back, launches in runs of heads', () => {
  const back = fromTraceFile(JSON.parse(JSON.stringify(toTraceFile(TRACED))));
  const { facts, times, ...rest } = back.trace;
  const { facts: _, times: __, ...same } = TRACED.trace;
  expect(rest).toEqual(same);
  expect(back.figures).toEqual(TRACED.figures);
  expect(Array.from(facts)).toEqual([
    ...[3, 63, 1, 0, 1, 128, 64, 0, 4],
    ...[3, 63, 1, 2, 2, 128, 64, 0, 4],
    ...[5, 0, 1, 2, 2, 128, 64, 900, 0],
    ...[0, 0, 2, 0, 0, 128, 64, 0, 0],
  ]);
  expect(Array.from(times)).toEqual([1, 3, 1, 3, 3.5, 4, 4, 5.25]);
});

test('events: threads are named, a launch is one event, times are microseconds', () => {
  const { traceEvents } = toTraceFile(TRACED);
  expect(traceEvents.filter(({ ph }) => ph === 'M').map(({ args }) => args?.name)).toEqual([
    'Small: 192 tokens',
    'engine thread',
    'simulated (pilot)',
  ]);
  const spans = traceEvents.filter(({ ph }) => ph === 'X');
  expect(spans.map(({ name, tid, ts, dur }) => [name, tid, ts, dur])).toEqual([
    ['pilot', 63, 1000, 2000],
    ['sparse', 0, 3500, 500],
    ['linear', 0, 4000, 1250],
  ]);
  expect(spans.map(({ args }) => args?.heads)).toEqual([[0, 2, 3], [2, 3], []]);
});

test.each([{}, { traceEvents: [] }, { traceEvents: [], shadownpu: { format: 2 } }, 'text', null])(
  '%o is refused',
  (json) => {
    expect(() => fromTraceFile(json)).toThrow(expect.objectContaining({ kind: 'bad-input' }));
  },
);
