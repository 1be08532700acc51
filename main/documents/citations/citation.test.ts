import { expect, it } from 'vitest';
import { citationOf } from './citation.ts';

const text = 'import x\n\ndef price():\n    return 4\n';
const at = (word: string) => [text.indexOf(word), text.indexOf(word) + word.length] as const;

it.each([
  ['a page without a name', { number: 3, text }, at('def'), undefined],
  ['a page with a name', { number: 3, label: 'iv', text, lines: [1, 4] as [number, number] }, at('def'), 'iv'],
  ['a line of a text file', { number: 3, text, lines: [101, 104] as [number, number] }, at('def'), 'L103'],
  [
    'several lines',
    { number: 3, text, lines: [101, 104] as [number, number] },
    at('def price():\n    return 4\n'),
    'L103-104',
  ],
  ['a page of which nothing is known', undefined, at('def'), undefined],
])('%s is called as readers know it', (_, page, range, label) => {
  expect(citationOf('d', [undefined, undefined, page], { page: 3, range, score: 0.5 })).toEqual({
    documentId: 'd',
    page: 3,
    range: [...range],
    score: 0.5,
    ...(label === undefined ? {} : { label }),
  });
});

it.each([
  ['by its lines', [1, 4] as [number, number], 'L3'],
  ['by its name where it has no lines', undefined, 'Prices'],
])('a place in an only part is called %s', (_, lines, label) => {
  const page = { number: 1, label: 'Prices', text, ...(lines && { lines }) };
  expect(citationOf('d', [page], { page: 1, range: at('def'), score: 1 }).label).toBe(label);
});
