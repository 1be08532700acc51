/** Tables of costs: those that come with the app, and what a file may not be. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { readCostTable } from './what-if.ts';

const FOLDER = path.join(import.meta.dirname, '..', 'resources', 'cost-tables');

test.each(readdirSync(FOLDER))('%s is a table that says where its times are from', (file) => {
  const table = readCostTable(JSON.parse(readFileSync(path.join(FOLDER, file), 'utf8')));
  expect(table.source.length).toBeGreaterThan(20);
});

describe('a file of the user', () => {
  const table = {
    name: 'Mine',
    source: 'By hand',
    pilot: { keys: [1024, 2048], ms: { 1: [1, 2], 4: [2, 4] } },
    topk: { keys: [2048], shares: [1], ms: [[1]] },
  };

  test('is read as it is', () => {
    expect(readCostTable(JSON.parse(JSON.stringify(table)))).toEqual(table);
  });

  test.each([
    ['nothing', null],
    ['another file', { traceEvents: [] }],
    ['no launch of one head', { ...table, pilot: { keys: [2048], ms: { 2: [1] } } }],
    ['times that are missing', { ...table, pilot: { keys: [1024, 2048], ms: { 1: [1] } } }],
    ['a negative time', { ...table, pilot: { keys: [2048], ms: { 1: [-1] } } }],
    ['lengths out of order', { ...table, pilot: { keys: [2048, 1024], ms: { 1: [1, 2] } } }],
    ['rows of another size', { ...table, topk: { keys: [2048], shares: [0.5, 1], ms: [[1]] } }],
  ])('%s is refused', (_, json) => {
    expect(() => readCostTable(json)).toThrow('not a table of costs');
  });
});
