import { describe, expect, it } from 'vitest';
import { PAPER_PHONE } from '../engine/attention/planner/costs.ts';
import { pipelineFigures, pipelineRows } from './pipeline.ts';

/** One layer, 2048 keys: launches of two heads 3 ms, of one 2 ms; top-k 1 ms; qkv 8.25 ms times the ratio. */
const LAYER = [
  { ratio: 0.4, bucket: 0 },
  { ratio: 0.1, bucket: 1 },
  { ratio: 0.1, bucket: 0 },
];
const rows = pipelineRows({ table: PAPER_PHONE, keys: 2048, minKeys: 1, ratio: 0.2, layers: [LAYER] });
const ms = (name: string) => rows.find((row) => row.name === name)?.ms.median;

describe('pipeline rows', () => {
  it('hold the makespans of a layer worked out by hand', () => {
    // Kept keys are whole: 819 and 205 of 2048.
    const [long, short] = [(8.25 * 819) / 2048, (8.25 * 205) / 2048];
    expect(ms('--no-pipeline')).toBeCloseTo(3 + 2 + 3 + long + 2 * short, 6);
    // Groups [0, 2] and [1]. Naturally the pair goes first: top-k ends at 4, 5 and 6, and qkv is never idle after 4.
    expect(ms('natural order')).toBeCloseTo(4 + long + 2 * short, 6);
    // The greedy order launches the single head first (its qkv ends earliest), then the pair, the shorter one of it before:
    // its qkv is over when the last top-k is.
    expect(short).toBeLessThan(1);
    expect(ms('greedy order only')).toBeCloseTo(7 + long, 6);
    expect(ms('shadow')).toBeLessThanOrEqual(ms('natural order') ?? 0);
  });

  it('compare with the whole method, layer by layer', () => {
    expect(rows[0]).toMatchObject({ name: 'shadow', simulated: true, vsPlan: { median: 1, low: 1, high: 1 } });
    const serial = rows.find((row) => row.name === '--no-pipeline');
    expect(serial?.vsPlan.median).toBeCloseTo((ms('--no-pipeline') ?? 0) / (ms('shadow') ?? 1), 9);
    expect(pipelineFigures(rows).planner_gain_simulated).toBe(serial?.vsPlan.median);
  });

  it('the phone gains at least 1.3 from the pipeline with nine heads alike', () => {
    const layer = Array.from({ length: 9 }, () => ({ ratio: 0.2, bucket: 4 }));
    const figures = pipelineFigures(
      pipelineRows({ table: PAPER_PHONE, keys: 2048, minKeys: 64, ratio: 0.2, layers: [layer] }),
    );
    expect(figures.planner_gain_simulated).toBeGreaterThan(1.3);
  });
});
