import { describe, expect, test } from 'vitest';
import type { PlacedPart, Placement } from '../../../contract/engine.ts';
import { choosePlacement, type PartCost, type PlacementDevice } from './placement.ts';

const AUTO: Placement = { linear: 'auto', pilot: 'auto', decode: 'auto', avoidGpu: false, saveBattery: false };
const ALL: readonly PlacedPart[] = ['linear', 'pilot', 'decode'];
const device = (type: 'NPU' | 'GPU' | 'CPU', more: Partial<PlacementDevice> = {}): PlacementDevice => ({
  id: `${type}-id`,
  name: `Test ${type}`,
  type,
  usable: true,
  virtual: false,
  takes: ALL,
  lossy: [],
  ...more,
});
const NPU = device('NPU');
const GPU = device('GPU');
const CPU = device('CPU');
const linear = (times: Record<string, number>): PartCost[] =>
  Object.entries(times).map(([id, ms]) => ({ part: 'linear', device: id === 'cpu' ? id : `${id}-id`, ms }));

interface Case {
  says: string;
  wish?: Partial<Placement>;
  devices?: PlacementDevice[];
  times?: Record<string, number>;
  device: string;
  reason: RegExp;
}

const cases: Case[] = [
  { says: 'nothing but the processor', devices: [CPU], device: 'cpu', reason: /No other device/ },
  {
    says: 'the processor device of ONNX Runtime is never chosen',
    devices: [CPU],
    times: { CPU: 1, cpu: 9 },
    device: 'cpu',
    reason: /No other/,
  },
  {
    says: 'the NPU is fastest',
    times: { cpu: 60, NPU: 20, GPU: 30 },
    device: 'NPU-id',
    reason: /fastest: 20 ms for a chunk.* needs 60 ms/,
  },
  { says: 'the GPU is fastest', times: { cpu: 60, NPU: 20, GPU: 5 }, device: 'GPU-id', reason: /5\.0 ms/ },
  {
    says: 'the GPU is left alone',
    wish: { avoidGpu: true },
    times: { cpu: 60, NPU: 20, GPU: 5 },
    device: 'NPU-id',
    reason: /20 ms/,
  },
  {
    says: 'only a GPU, and it is left alone',
    wish: { avoidGpu: true },
    devices: [CPU, GPU],
    times: { cpu: 60, GPU: 5 },
    device: 'cpu',
    reason: /left alone/,
  },
  { says: 'a tenth less is worth it', times: { cpu: 100, NPU: 90 }, device: 'NPU-id', reason: /fastest/ },
  {
    says: 'less than a tenth is not',
    times: { cpu: 100, NPU: 91 },
    device: 'cpu',
    reason: /Test NPU would not be faster: 91 ms/,
  },
  {
    says: 'on battery a slower NPU is',
    wish: { saveBattery: true },
    times: { cpu: 100, NPU: 150, GPU: 10 },
    device: 'NPU-id',
    reason: /saves battery/,
  },
  {
    says: 'on battery a much slower one is not',
    wish: { saveBattery: true },
    times: { cpu: 100, NPU: 151 },
    device: 'cpu',
    reason: /would not be faster/,
  },
  {
    says: 'a device that cannot be used',
    devices: [device('NPU', { usable: false })],
    times: { cpu: 9, NPU: 1 },
    device: 'cpu',
    reason: /No other/,
  },
  {
    says: 'a virtual device',
    devices: [device('NPU', { virtual: true })],
    times: { cpu: 9, NPU: 1 },
    device: 'cpu',
    reason: /No other/,
  },
  {
    says: 'a device that does not take the part',
    devices: [device('NPU', { takes: ['pilot'] })],
    times: { cpu: 9, NPU: 1 },
    device: 'cpu',
    reason: /No other/,
  },
  {
    says: 'a form that loses quality',
    devices: [device('NPU', { lossy: ['linear'] })],
    times: { cpu: 9, NPU: 1 },
    device: 'cpu',
    reason: /No other/,
  },
  { says: 'nothing measured', times: {}, device: 'cpu', reason: /Test NPU \/ Test GPU has not been measured/ },
  { says: 'the processor not measured', times: { NPU: 1 }, device: 'cpu', reason: /has not been measured/ },
  {
    says: 'pinned to the processor',
    wish: { linear: 'cpu' },
    times: { cpu: 60, NPU: 20 },
    device: 'cpu',
    reason: /It was chosen/,
  },
  {
    says: 'pinned, though slower',
    wish: { linear: 'GPU-id', avoidGpu: true },
    times: { cpu: 1, GPU: 20 },
    device: 'GPU-id',
    reason: /It was chosen/,
  },
  {
    says: 'pinned to a form that loses quality',
    wish: { linear: 'NPU-id' },
    devices: [device('NPU', { lossy: ['linear'] })],
    device: 'NPU-id',
    reason: /It was chosen/,
  },
  {
    says: 'pinned to what is not there',
    wish: { linear: 'DML:GPU:0' },
    device: 'cpu',
    reason: /DML:GPU:0 is not on this machine/,
  },
  {
    says: 'pinned to what is broken',
    wish: { linear: 'NPU-id' },
    devices: [device('NPU', { usable: false, reason: 'Its driver is too old.' })],
    device: 'cpu',
    reason: /cannot be used: Its driver is too old/,
  },
  {
    says: 'pinned to what does not take it',
    wish: { linear: 'NPU-id' },
    devices: [device('NPU', { takes: [] })],
    device: 'cpu',
    reason: /takes no graphs/,
  },
  {
    says: 'pinned to a virtual device',
    wish: { linear: 'NPU-id' },
    devices: [device('NPU', { virtual: true })],
    device: 'cpu',
    reason: /not here/,
  },
];

describe('the linear parts', () => {
  test.each(cases)('$says', ({ wish, devices = [CPU, NPU, GPU], times = {}, device: expected, reason }) => {
    const { places } = choosePlacement({ ...AUTO, ...wish }, { devices, costs: linear(times) });
    expect(places.map(({ part }) => part)).toEqual(ALL);
    expect(places[0]).toMatchObject({ device: expected, reason: expect.stringMatching(reason) });
  });
});

test('each part is placed by its own costs', () => {
  const costs: PartCost[] = [
    ...linear({ cpu: 60, NPU: 20 }),
    { part: 'decode', device: 'cpu', ms: 9 },
    { part: 'decode', device: 'NPU-id', ms: 12 },
    { part: 'decode', device: 'GPU-id', ms: 4 },
    { part: 'pilot', device: 'cpu', ms: 1 },
  ];
  const { places, unmeasured } = choosePlacement(AUTO, { devices: [CPU, NPU, GPU], costs });
  expect(places.map(({ device: id }) => id)).toEqual(['NPU-id', 'cpu', 'GPU-id']);
  expect(unmeasured).toEqual([
    { part: 'linear', device: 'GPU-id' },
    { part: 'pilot', device: 'NPU-id' },
    { part: 'pilot', device: 'GPU-id' },
  ]);
});

test('a GPU that is left alone, and pinned parts, need no measurement', () => {
  const wish = { ...AUTO, avoidGpu: true, pilot: 'cpu' };
  const { unmeasured } = choosePlacement(wish, { devices: [CPU, GPU], costs: [] });
  expect(unmeasured).toEqual([]);
});
