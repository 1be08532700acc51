/** Samples are put together and kept for ten minutes, whatever the sampler, the engine and the clock do. */
import { describe, expect, test } from 'vitest';
import type { AppEvent } from '../../contract/channels.ts';
import type { EngineUsage } from '../../contract/engine.ts';
import type { MachineReadings, Sample, SamplerCommand } from '../../contract/resources.ts';
import { ResourceMonitor } from './monitor.ts';

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
  let listener: { reported(message: unknown): void; exited(): void } | undefined;
  const made = new ResourceMonitor({
    spawn: (its) => {
      listener = its;
      return { post: (command) => commands.push(command), kill: () => undefined };
    },
    usage,
    processes: () => [{ pid: 7, kind: 'engine', cores: 1.5, memoryBytes: 1000 }],
    emit: (event) => events.push(event),
    log: (line) => log.push(line),
  });
  made.start();
  const report = async (at: number, readings: unknown = READINGS) => {
    listener?.reported({ at, readings });
    await new Promise((resolve) => setImmediate(resolve));
  };
  const samples = () => events.flatMap((event) => (event.type === 'sample' ? [event.sample] : []));
  return { made, commands, log, report, samples, end: () => listener?.exited() };
}

describe('the monitor', () => {
  test('puts readings, processes and the engine together', async () => {
    let threadsMs = [0, 0];
    const { report, samples, commands } = monitor(async () => ({ threadsMs, memory: MEMORY }));
    await report(1000);
    await new Promise((resolve) => setTimeout(resolve, 100));
    threadsMs = [1e6, 0];
    await report(2000);
    expect(samples()[1]).toMatchObject({
      at: 2000,
      cores: [0.5, null],
      processes: [{ kind: 'engine', cores: 1.5, memoryBytes: 1000 }],
      engine: { threads: [1, 0], memory: MEMORY },
      tokensPerSecond: { prefill: null, decode: null },
    });
    expect(commands[0]).toEqual({ everyMs: 15_000, pids: [7] });
  });

  test('keeps ten minutes at a sample a second over a day of four a second', async () => {
    const { made, report } = monitor();
    const from = 1_700_000_000_000;
    // A day is too long for a test; what is kept does not depend on how long it was.
    for (let i = 0; i < 4 * 900; i++) await report(from + i * 250);
    const history: Sample[] = made.history();
    expect(history.length).toBeGreaterThan(590);
    expect(history.length).toBeLessThanOrEqual(602);
    expect((history.at(-1)?.at ?? 0) - (history[0]?.at ?? 0)).toBeLessThanOrEqual(600_000);
  });

  test('begins anew where the clock was set back', async () => {
    const { made, report } = monitor();
    for (const at of [5_000_000, 5_001_000, 1000, 2000]) await report(at);
    expect(made.history().map(({ at }) => at)).toEqual([1000, 2000]);
  });

  test('an engine that is down or a report that makes no sense costs that figure only', async () => {
    const { report, samples, log } = monitor(() => Promise.reject(new Error('down')));
    await report(1000);
    await report(2000, { cores: 'many' });
    await report(3000);
    expect(samples().map(({ at, engine }) => [at, engine])).toEqual([
      [1000, null],
      [3000, null],
    ]);
    expect(log[0]).toMatch(/malformed/);
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

  test('speed of the answer while there is one; the pace while somebody looks', async () => {
    const { made, report, samples, commands } = monitor();
    const ids = { chatId: 'c', messageId: 'm' };
    made.observe({ type: 'prefill', ...ids, purpose: 'answer', done: 1, total: 2, tokensPerSecond: 500 });
    await report(1000);
    made.observe({ type: 'delta', ...ids, offset: 0, delta: 'x', tokensPerSecond: 60 });
    await report(2000);
    made.observe({
      type: 'message',
      message: { id: 'm', chatId: 'c', parentId: null, role: 'assistant', text: 'x', state: 'complete', createdAt: 0 },
    });
    await report(3000);
    expect(samples().map(({ tokensPerSecond }) => tokensPerSecond)).toEqual([
      { prefill: 500, decode: null },
      { prefill: null, decode: 60 },
      { prefill: null, decode: null },
    ]);
    made.watch(true);
    expect(commands.at(-1)?.everyMs).toBe(250);
  });
});
