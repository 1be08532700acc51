/** Readings of samples: what is not reported is never 0. */
import { expect, test } from 'vitest';
import type { Sample } from '../../../../contract/resources.ts';
import { addSample, mergeSamples } from '../../store/resources.ts';
import { lastSeconds, readingsOf, summary, toCsv, topOf } from './readings.ts';

function sample(at: number, more: Partial<Sample> = {}): Sample {
  return {
    at,
    cores: [0.5, null, 1],
    memory: { totalBytes: 100, availableBytes: 40, swapTotalBytes: null, swapUsedBytes: null },
    accelerators: [
      {
        id: 'accel0',
        kind: 'npu',
        name: 'Intel NPU',
        busy: 0.25,
        appBusy: null,
        memoryBytes: 5e8,
        appMemoryBytes: null,
      },
    ],
    power: { watts: null, joules: null, sensor: null },
    temperature: 60,
    disk: { read: 0, written: 5 },
    network: { received: null, sent: null },
    processes: [{ kind: 'engine', cores: 1.5, memoryBytes: 30 }],
    engine: null,
    tokensPerSecond: { prefill: null, decode: null },
    ...more,
  };
}
const reading = (key: string, latest = sample(0)) => readingsOf(latest).find((each) => each.key === key);
const value = (key: string, line: number) => reading(key)?.lines[line]?.value(sample(0));

test('values of a sample; a core that is off does not count, a rate of 0 is 0', () => {
  expect(value('processor', 0)).toBe(0.75);
  expect(value('processor', 1)).toBe(0.5);
  expect(value('memory', 0)).toBe(60);
  expect(value('accel0', 0)).toBe(0.25);
  expect(value('accel0', 1)).toBeNull();
  expect(value('accel0-memory', 0)).toBe(5e8);
  expect(value('accel0-memory', 1)).toBeNull();
  expect(value('disk', 0)).toBe(0);
  expect(value('power', 0)).toBeNull();
  // There is an NPU, so only the GPU is said to be missing.
  expect(readingsOf(sample(0)).map(({ key }) => key)).toContain('gpu');
  expect(readingsOf(sample(0)).map(({ key }) => key)).not.toContain('npu');
});

test('a summary is of what was reported, and null where nothing was', () => {
  const line = reading('temperature')?.lines[0];
  if (line === undefined) throw new Error('no temperature');
  const samples = [sample(0, { temperature: 50 }), sample(1, { temperature: null }), sample(2, { temperature: 80 })];
  expect(summary(samples, line)).toEqual({ least: 50, mean: 65, most: 80 });
  expect(summary([sample(0, { temperature: null })], line)).toBeNull();
});

test('comma-separated values leave a gap where nothing was reported', () => {
  const [head = '', row = ''] = toCsv([sample(1_700_000_000_000)]).split('\r\n');
  const names = head.split(',');
  const values = row.split(',');
  expect(values[0]).toBe('2023-11-14T22:13:20.000Z');
  expect(values[names.indexOf('"Processor: All"')]).toBe('0.75');
  expect(values[names.indexOf('"Power: All"')]).toBe('');
  expect(values.length).toBe(names.length);
});

test('ten minutes are kept, and a clock that was set back begins anew', () => {
  let samples: readonly Sample[] = [];
  for (let i = 0; i < 700; i++) samples = addSample(samples, sample(i * 1000));
  expect(samples.length).toBe(601);
  expect(lastSeconds(samples, 60).length).toBe(61);
  expect(addSample(samples, sample(5)).length).toBe(1);
  expect(mergeSamples([sample(1), sample(2)], [sample(2), sample(3)]).map(({ at }) => at)).toEqual([1, 2, 3]);
});

test('a chart of shares reaches to its whole, another one to just above its values', () => {
  const shares = readingsOf(undefined).filter(({ most }) => most !== undefined);
  expect(shares.length).toBeGreaterThan(0);
  for (const reading of shares) expect([0, 0.4, 1].map((greatest) => topOf(reading, greatest))).toEqual([1, 1, 1]);
  expect(topOf({}, 200)).toBeCloseTo(220);
  expect(topOf({}, 0)).toBe(1);
});
