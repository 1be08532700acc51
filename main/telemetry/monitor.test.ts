/** Samples are put together and kept for ten minutes, whatever the sampler, the engine and the clock do. */
import { afterEach, describe, expect, test, vi } from 'vitest';
import type { AppEvent } from '../../contract/channels.ts';
import type { EngineUsage } from '../../contract/engine.ts';
import type { Glance, MachineReadings, Sample } from '../../contract/resources.ts';
import { ResourceMonitor } from './monitor.ts';
import type { SamplerCommand, SamplerListener } from './sampler.ts';

const READINGS: MachineReadings = {
  cores: [0.5, null],
  memory: { totalBytes: 100, availableBytes: 50, swapTotalBytes: null, swapUsedBytes: null },
  accelerators: [],
  power: { watts: 10, joules: 100, sensor: 'counter' },
  temperature: null,
  disk: { read: null, written: null },
  network: { received: null, sent: null },
};
const MEMORY: EngineUsage['memory'] = { weightsBytes: 1, kvUsedBytes: 2, kvBytes: 3, scratchBytes: 4 };

function monitor(usage: () => Promise<EngineUsage | undefined> = () => Promise.resolve(undefined)) {
  const commands: SamplerCommand[] = [];
  const events: AppEvent[] = [];
  const log: string[] = [];
  let listener: SamplerListener | undefined;
  let counted = 0;
  let spawned = 0;
  const made = new ResourceMonitor({
    spawn: (its) => {
      listener = its;
      spawned += 1;
      return { post: (command) => commands.push(command), kill: () => undefined };
    },
    usage,
    processes: () => {
      counted += 1;
      return [{ pid: 7, kind: 'engine', cores: 1.5, memoryBytes: 1000 }];
    },
    emit: (event) => events.push(event),
    log: (line) => log.push(line),
  });
  made.start();
  const report = async (at: number, readings = READINGS) => {
    listener?.reported([{ at, readings }]);
    await new Promise((resolve) => setImmediate(resolve));
  };
  /** Readings of five seconds, told at once. */
  const reportFive = async (from: number) => {
    listener?.reported(Array.from({ length: 5 }, (_, i) => ({ at: from + i * 1000, readings: READINGS })));
    await new Promise((resolve) => setImmediate(resolve));
  };
  const samples = () => events.flatMap((event) => (event.type === 'sample' ? [event.sample] : []));
  const glances = (): Glance[] => events.flatMap((event) => (event.type === 'glance' ? [event.glance] : []));
  const ends = (reason: string) => listener?.exited(reason);
  return {
    made,
    commands,
    log,
    report,
    reportFive,
    samples,
    glances,
    ends,
    counted: () => counted,
    spawned: () => spawned,
  };
}

afterEach(() => vi.useRealTimers());

describe('the monitor', () => {
  test('puts readings, processes and the engine together', async () => {
    let threadsMs = [0, 0];
    const { made, report, samples, commands } = monitor(async () => ({ threadsMs, memory: MEMORY }));
    expect(commands).toEqual([{ everyMs: 1000, tellMs: 5000, pids: [] }]);
    made.watch(true);
    await report(1000);
    expect(commands.at(-1)).toEqual({ everyMs: 250, tellMs: 250, pids: [7] });
    await new Promise((resolve) => setTimeout(resolve, 1000));
    threadsMs = [1e6, 0];
    await report(2000);
    made.stop();
    expect(samples()[1]).toMatchObject({
      at: 2000,
      cores: [0.5, null],
      processes: [{ kind: 'engine', cores: 1.5, memoryBytes: 1000 }],
      engine: { threads: [1, 0], memory: MEMORY },
      tokensPerSecond: { prefill: null, decode: null },
    });
  });

  test('at rest a sample a second is kept, and nothing is told but a glance now and then', async () => {
    vi.useFakeTimers({ toFake: ['performance', 'setTimeout', 'clearTimeout'] });
    const { made, report, reportFive, samples, glances, commands, counted } = monitor();
    for (let second = 0; second < 60; second += 5) {
      await reportFive(second * 1000);
      vi.advanceTimersByTime(5000);
    }
    expect(made.history().map(({ at }) => at)).toEqual(Array.from({ length: 60 }, (_, i) => i * 1000));
    expect(samples()).toEqual([]);
    expect(glances()).toHaveLength(4);
    expect(counted()).toBe(4);
    expect(glances()[0]).toEqual({
      processor: 0.5,
      engineBytes: 0,
      accelerators: [],
      watts: 10,
      tokensPerSecond: { prefill: null, decode: null },
    });
    // The pace, and once more when the first processes were counted.
    expect(commands).toHaveLength(2);
    made.lookSoon();
    await report(60_000);
    expect(glances()).toHaveLength(5);
  });

  test('a window that watches and ends without a word is forgotten after a while', async () => {
    vi.useFakeTimers({ toFake: ['performance', 'setTimeout', 'clearTimeout'] });
    const { made, report, samples, commands } = monitor();
    made.watch(true);
    vi.advanceTimersByTime(10_000);
    made.watch(true);
    vi.advanceTimersByTime(10_000);
    await report(1000);
    expect(samples()).toHaveLength(1);
    vi.advanceTimersByTime(5001);
    expect(commands.at(-1)).toMatchObject({ everyMs: 1000, tellMs: 5000 });
    await report(2000);
    expect(samples()).toHaveLength(1);
  });

  test('a sampler that ends is started again, and told the pace again', () => {
    vi.useFakeTimers({ toFake: ['performance', 'setTimeout', 'clearTimeout'] });
    const { commands, log, ends, spawned } = monitor();
    ends('Error: out of memory');
    expect(log).toEqual(['the sampler ended: Error: out of memory']);
    vi.advanceTimersByTime(30_000);
    expect(spawned()).toBe(2);
    expect(commands).toHaveLength(2);
  });

  test('a day of four samples a second: ten minutes are kept, a second apart', async () => {
    const { made, report } = monitor();
    const from = 1_700_000_000_000;
    for (let i = 0; i < 4 * 86_400; i++) await report(from + i * 250);
    const history: Sample[] = made.history();
    expect(history.length).toBeGreaterThan(590);
    expect(history.length).toBeLessThanOrEqual(602);
    expect((history.at(-1)?.at ?? 0) - (history[0]?.at ?? 0)).toBeLessThanOrEqual(600_000);
  }, 60_000);

  test('after a sleep of eight hours only what is new is kept', async () => {
    const { made, report } = monitor();
    for (const at of [1000, 2000, 3000, 28_803_000, 28_804_000]) await report(at);
    expect(made.history().map(({ at }) => at)).toEqual([28_803_000, 28_804_000]);
  });

  test('begins anew where the clock was set back', async () => {
    const { made, report } = monitor();
    for (const at of [5_000_000, 5_001_000, 1000, 2000]) await report(at);
    expect(made.history().map(({ at }) => at)).toEqual([1000, 2000]);
  });

  test('an engine that is down costs that figure only', async () => {
    const { made, report } = monitor(() => Promise.reject(new Error('down')));
    await report(1000);
    expect(made.latest).toMatchObject({ at: 1000, engine: null, processes: [{ kind: 'engine' }] });
  });

  test('energy between two moments, and none without a sensor', async () => {
    const { made, report } = monitor();
    expect(made.energyFromNow()()).toBeUndefined();
    await report(Date.now());
    const used = made.energyFromNow();
    await report(Date.now(), { ...READINGS, power: { watts: 10, joules: 130, sensor: 'counter' } });
    expect(used()?.joules).toBeGreaterThan(29);
    expect(used()?.joules).toBeLessThan(31);
    await report(Date.now(), { ...READINGS, power: { watts: null, joules: null, sensor: null } });
    expect(used()).toBeUndefined();
  });

  test('the speed of an answer is told while there is one, and its end at once', async () => {
    vi.useFakeTimers({ toFake: ['performance', 'setTimeout', 'clearTimeout'] });
    const { made, report, glances } = monitor();
    const ids = { chatId: 'c', messageId: 'm' };
    made.observe({ type: 'prefill', ...ids, purpose: 'answer', done: 1, total: 2, tokensPerSecond: 500 });
    await report(1000);
    made.observe({ type: 'delta', ...ids, offset: 0, delta: 'x', tokensPerSecond: 60 });
    vi.advanceTimersByTime(1000);
    await report(2000);
    made.observe({
      type: 'message',
      message: { id: 'm', chatId: 'c', parentId: null, role: 'assistant', text: 'x', state: 'complete', createdAt: 0 },
    });
    await report(3000);
    expect(glances().map(({ tokensPerSecond }) => tokensPerSecond)).toEqual([
      { prefill: 500, decode: null },
      { prefill: null, decode: 60 },
      { prefill: null, decode: null },
    ]);
  });
});
