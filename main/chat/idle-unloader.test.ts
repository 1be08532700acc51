import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { IdleUnloader } from './idle-unloader.ts';
import { SerialQueue } from './serial-queue.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function unloader(minutes: number | undefined) {
  const queue = new SerialQueue();
  const unload = vi.fn(async () => undefined);
  const settings: { unloadAfterMinutes?: number } = minutes === undefined ? {} : { unloadAfterMinutes: minutes };
  const made = new IdleUnloader({ keeper: { unload }, queue, settings: () => settings, log: () => undefined });
  return { made, queue, unload, settings };
}

describe('a model that nobody uses', () => {
  it('is unloaded after the time that was set, counted from its last use', async () => {
    const { made, unload } = unloader(5);
    made.used();
    await vi.advanceTimersByTimeAsync(4 * 60_000);
    made.used();
    await vi.advanceTimersByTimeAsync(4 * 60_000);
    expect(unload).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(unload).toHaveBeenCalledTimes(1);
  });

  it('stays where nothing was set, and once that is taken back', async () => {
    const { made, unload, settings } = unloader(undefined);
    made.used();
    await vi.advanceTimersByTimeAsync(24 * 3600_000);
    settings.unloadAfterMinutes = 1;
    made.used();
    delete settings.unloadAfterMinutes;
    made.used();
    await vi.advanceTimersByTimeAsync(24 * 3600_000);
    expect(unload).not.toHaveBeenCalled();
  });

  it('waits for an answer that is being made', async () => {
    const { made, queue, unload } = unloader(1);
    let end = () => {};
    void queue.run(() => new Promise<void>((resolve) => (end = resolve)));
    made.used();
    await vi.advanceTimersByTimeAsync(2 * 60_000);
    expect(unload).not.toHaveBeenCalled();
    end();
    await vi.advanceTimersByTimeAsync(0);
    expect(unload).toHaveBeenCalledTimes(1);
  });
});
