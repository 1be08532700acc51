import { describe, expect, it } from 'vitest';
import { closeMarks } from './close-marks.ts';

describe('closeMarks', () => {
  const cases: [string, string, string][] = [
    ['plain text stays', 'Some text', 'Some text'],
    ['closed emphasis stays', 'a **b** c', 'a **b** c'],
    ['open strong text is closed', 'a **b c', 'a **b c**'],
    ['half a closing mark is made whole', 'a **b*', 'a **b**'],
    ['a mark without text is held back', 'a **', 'a '],
    ['open inline code is closed', 'use `npm st', 'use `npm st`'],
    ['a lone backtick is held back', 'use `', 'use '],
    ['asterisks in inline code are not emphasis', '`a**b` c', '`a**b` c'],
    ['a growing link shows its words', 'see [the man', 'see the man'],
    ['a growing address is hidden', 'see [the manual](https://exa', 'see the manual'],
    ['a finished link stays', 'see [m](https://e.com)', 'see [m](https://e.com)'],
    ['brackets in inline code are no link', 'take `a[0', 'take `a[0`'],
    ['a growing link shows inline code in its words', 'see [`a[0]` in the ma', 'see `a[0]` in the ma'],
    ['the beginning of a fence is held back', 'text\n``', 'text\n'],
    ['the beginning of a closing fence is held back', '```js\na = 1\n``', '```js\na = 1'],
    ['code is left alone', '```js\na ** b `', '```js\na ** b `'],
    ['earlier lines are left alone', 'a ** b\nc', 'a ** b\nc'],
    ['nothing stays nothing', '', ''],
  ];
  for (const [name, block, shown] of cases) it(name, () => expect(closeMarks(block)).toBe(shown));
});
