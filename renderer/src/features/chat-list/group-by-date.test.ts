import { describe, expect, it } from 'vitest';
import { makeChat } from '../../testing/fake-main.ts';
import { groupByDate } from './group-by-date.ts';

describe('groupByDate', () => {
  it('goes by local midnight, not by 24 hours', () => {
    const now = new Date(2024, 4, 20, 0, 30).getTime();
    const minutes = (count: number) => now - count * 60_000;
    const chats = [
      makeChat('a', '', minutes(10)),
      makeChat('b', '', minutes(31)),
      makeChat('c', '', minutes(26 * 60)),
      makeChat('d', '', minutes(20 * 24 * 60)),
      makeChat('e', '', minutes(90 * 24 * 60)),
    ];
    expect(groupByDate(chats, now).map(({ group, chats: members }) => [group, members.map(({ id }) => id)])).toEqual([
      ['today', ['a']],
      ['yesterday', ['b']],
      ['week', ['c']],
      ['month', ['d']],
      ['older', ['e']],
    ]);
  });

  it('has no empty groups', () => expect(groupByDate([], 0)).toEqual([]));
});
