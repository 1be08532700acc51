import { describe, expect, it } from 'vitest';
import { interleave } from './rounds.ts';

describe('interleave', () => {
  it('takes turns, and leaves the first round out', async () => {
    const calls: string[] = [];
    const times = await interleave(
      [
        { name: 'a', run: () => calls.push('a') },
        { name: 'b', run: async () => calls.push('b') && 7 },
      ],
      { rounds: 2 },
    );
    expect(calls.join('')).toBe('ababab');
    expect(times.get('a')).toEqual([3, 5]);
    expect(times.get('b')).toEqual([7, 7]);
  });

  it('times what returns nothing', async () => {
    const times = await interleave(
      [{ name: 'wait', run: () => new Promise<void>((resolve) => setTimeout(resolve, 20)) }],
      { rounds: 1 },
    );
    expect(times.get('wait')?.[0]).toBeGreaterThan(15);
  });

  it('stops between two runs', async () => {
    const abort = new AbortController();
    let runs = 0;
    const work = interleave([{ name: 'a', run: () => void (++runs === 2 && abort.abort()) }], {
      rounds: 100,
      signal: abort.signal,
    });
    await expect(work).rejects.toMatchObject({ kind: 'cancelled' });
    expect(runs).toBe(2);
  });
});
