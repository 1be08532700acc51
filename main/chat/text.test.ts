import { describe, expect, it } from 'vitest';
import { titleFrom } from './title.ts';
import { dropMore, type Exchange, pastTurns } from './turns.ts';

describe('titleFrom', () => {
  it.each([
    ['Hello', 'Hello'],
    ['  two\n\tlines  ', 'two lines'],
    [' \n ', 'New chat'],
    ['x'.repeat(60), `${'x'.repeat(47)}…`],
    ['What is the difference between a process and a thread?', 'What is the difference between a process and a…'],
    ['请'.repeat(60), `${'请'.repeat(47)}…`],
    ['😀'.repeat(49), `${'😀'.repeat(47)}…`],
    ['a\u0000b', 'a b'],
  ])('%j', (question, title) => {
    expect(titleFrom(question, 'New chat')).toBe(title);
  });
});

describe('dropMore', () => {
  const past: Exchange[] = Array.from({ length: 9 }, (_, i) => ({
    question: `q${i}`,
    answer: `a${i}`,
    answerId: `${i}`,
  }));

  it('drops a quarter of what is left, at least one, until nothing is left', () => {
    const steps: number[] = [];
    for (let dropped: number | undefined = 0; dropped !== undefined; dropped = dropMore(past, dropped)) {
      steps.push(dropped);
    }
    expect(steps).toEqual([0, 3, 5, 6, 7, 8, 9]);
    expect(pastTurns('s', { exchanges: past }, 9)).toEqual([{ role: 'system', content: 's' }]);
  });
});
