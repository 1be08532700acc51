/** What of a trace is drawn: passes, rows, sums. */
import { expect, test } from 'vitest';
import { STAGES, type Stage, type Trace } from '../../../../contract/trace.ts';
import { barsOf, extentOf, headRows, laneRows, layerTimes, passesOf, stageRows, totalsOf } from './trace-model.ts';

type Row = [
  Stage,
  lane: number,
  layer: number,
  head: number,
  heads: number,
  position: number,
  rows: number,
  start: number,
  end: number,
];

/** Two passes of 128 and 10 tokens over one layer of two heads, by two threads and a device. */
const ROWS: Row[] = [
  ['linear', 0, 0, 0, 0, 0, 64, 0, 2],
  ['linear', 1, 0, 0, 0, 64, 64, 0, 2.5],
  ['linear', 0, 0, 0, 0, 0, 128, 2.5, 3],
  ['pilot', 63, 0, 0, 1, 0, 128, 3, 5],
  ['pilot', 63, 0, 1, 1, 0, 128, 3, 5],
  ['topk', 0, 0, 0, 2, 0, 64, 5, 6],
  ['sparse', 0, 0, 0, 2, 0, 64, 6, 8],
  ['topk', 1, 0, 1, 1, 64, 64, 5, 5.5],
  ['linear', 0, 0, 0, 0, 128, 10, 9, 10],
  ['dense', 0, 0, 0, 1, 128, 10, 10, 11],
];
const TRACE: Trace = {
  request: 1,
  layers: 1,
  heads: 2,
  lanes: [
    { lane: 0, kind: 'engine', name: '', busyMs: 0 },
    { lane: 1, kind: 'worker', name: '1', busyMs: 0 },
    { lane: 63, kind: 'pilot', name: 'simulated', busyMs: 0 },
  ],
  dropped: 0,
  facts: Int32Array.from(
    ROWS.flatMap(([stage, lane, layer, head, heads, position, rows]) => [
      STAGES.indexOf(stage),
      lane,
      layer,
      head,
      heads,
      position,
      rows,
      0,
      0,
    ]),
  ),
  times: Float64Array.from(ROWS.flatMap((row) => row.slice(7) as number[])),
  plannedShare: new Float32Array(2),
  keptShare: new Float32Array(2),
};
const bars = barsOf(TRACE);
const [first = { position: -1, rows: 0 }, second = first] = passesOf(bars);
const stagesOf = (rows: readonly { bars: readonly { stage: Stage }[] }[]) =>
  rows.map((row) => row.bars.map(({ stage }) => stage));

test('passes are found by what spans them as a whole', () => {
  expect(passesOf(bars)).toEqual([
    { position: 0, rows: 128 },
    { position: 128, rows: 10 },
  ]);
});

test('a row for each lane, head and stage', () => {
  expect(laneRows(bars, TRACE.lanes, ({ kind }) => kind).map((row) => [row.label, row.bars.length])).toEqual([
    ['engine', 6],
    ['worker', 2],
    ['pilot', 2],
  ]);
  // A call for both heads stands in both rows; projections are about no head.
  expect(stagesOf(headRows(bars, TRACE, 0, first, String))).toEqual([
    ['pilot', 'topk', 'sparse'],
    ['pilot', 'topk', 'topk', 'sparse'],
  ]);
  expect(stagesOf(headRows(bars, TRACE, 0, second, String))).toEqual([['dense'], []]);
  expect(stageRows(bars, TRACE, 0, 1, first, String).map((row) => row.key)).toEqual(['pilot', 'topk', 'sparse']);
});

test('a launch is one bar of each of its heads; layers take from their first to their last bar in each pass', () => {
  expect(bars.filter(({ stage }) => stage === 'pilot').map(({ heads }) => heads)).toEqual([
    [0, 1],
    [0, 1],
  ]);
  // 3 to 8 ms in the first pass, 10 to 11 in the second.
  expect(layerTimes(bars, TRACE, [first, second])).toEqual([6]);
});

test('sums by stage and lane count a launch once', () => {
  expect(totalsOf(bars, TRACE.lanes)).toEqual([
    { stage: 'linear', ms: [3.5, 2.5, 0] },
    { stage: 'pilot', ms: [0, 0, 2] },
    { stage: 'topk', ms: [1, 0.5, 0] },
    { stage: 'sparse', ms: [2, 0, 0] },
    { stage: 'dense', ms: [1, 0, 0] },
  ]);
  expect(extentOf(headRows(bars, TRACE, 0, first, String))).toEqual([3, 8]);
  expect(extentOf([])).toBeUndefined();
});
