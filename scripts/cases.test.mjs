/** docs/cases.md names tests; each must be there. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ROOT } from './setup/paths.mjs';

const HEADING = '| case | right | shown by |';

const lines = readFileSync(join(ROOT, 'docs', 'cases.md'), 'utf8').split('\n');
const rows = lines.filter((line) => line.startsWith('| ') && line !== HEADING);

/** The files of a row with the names of their tests, as in `file`: "name", "name"; `file`: "name". @param {string} row */
function proofs(row) {
  const shownBy = row.split(' | ').at(-1)?.replace(/ \|$/, '') ?? '';
  return shownBy.split('; `').map((part) => {
    const [, file = '', names = ''] = /^`?([^`]+)`: (".+")$/.exec(part) ?? [];
    return { file, names: names.slice(1, -1).split('", "').filter(Boolean) };
  });
}

/** Whether `source` has this text between quotation marks. @param {string} source @param {string} name */
const hasLiteral = (source, name) => ["'", '"', '`'].some((mark) => source.includes(`${mark}${name}${mark}`));

/** What a row names and is not there. @param {string} row */
function missing(row) {
  return proofs(row).flatMap(({ file, names }) => {
    if (!/\.(test|spec|devices)\.(ts|tsx|mjs)$/.test(file) || !existsSync(join(ROOT, file)))
      return [`no test file "${file}"`];
    const source = readFileSync(join(ROOT, file), 'utf8');
    if (names.length === 0) return [`no test of ${file} is named`];
    return names.filter((name) => !hasLiteral(source, name)).map((name) => `${file} has no "${name}"`);
  });
}

describe('the cases', () => {
  test('are in tables of three columns', () => {
    expect(rows.length).toBeGreaterThan(40);
    expect(rows.filter((row) => row.split(' | ').length !== 3)).toEqual([]);
  });

  test('are shown by tests that there are', () => {
    expect(rows.flatMap(missing)).toEqual([]);
  });

  test('would be found out where a test is gone, or none is named', () => {
    const row = (/** @type {string} */ shownBy) => missing(`| case | right | ${shownBy} |`);
    expect(row('`scripts/cases.test.mjs`: "are in tables of three columns"')).toEqual([]);
    expect(row('`scripts/gone.test.mjs`: "x"')).toEqual(['no test file "scripts/gone.test.mjs"']);
    const gone = `a test ${'nobody'} wrote`;
    expect(row(`\`scripts/cases.test.mjs\`: "are shown by tests that there are", "${gone}"`)).toEqual([
      `scripts/cases.test.mjs has no "${gone}"`,
    ]);
    expect(row('')).not.toEqual([]);
    expect(row('`scripts/cases.test.mjs`')).not.toEqual([]);
  });
});
