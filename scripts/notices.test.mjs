import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { NOTICES, writeNotices } from './notices.mjs';
import { DIST, ROOT } from './setup/paths.mjs';

/** The parts between the rules, by their first line's package name. @type {Map<string, string>} */
let parts;
beforeAll(() => {
  writeNotices();
  const [, ...found] = readFileSync(NOTICES, 'utf8').split(/^={80}\n/m);
  parts = new Map(found.map((text) => [text.replace(/ .*/s, ''), text]));
});

test('every package that a program bundle has code of is named', () => {
  // By the source maps, which know what is really in a bundle; the notices go by what the bundler read.
  const maps = readdirSync(DIST).filter((name) => name.endsWith('.cjs.map') && !name.startsWith('cli.'));
  const sources = maps.flatMap((name) => JSON.parse(readFileSync(join(DIST, name), 'utf8')).sources);
  const names = new Set(sources.flatMap((source) => /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(source)?.[1] ?? []));
  expect(names).toContain('valibot');
  expect([...names].filter((name) => !parts.has(name))).toEqual([]);
});

test('every package that the window imports is named', () => {
  const folder = join(ROOT, 'renderer', 'src');
  const names = new Set();
  for (const file of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    if (!/\.(tsx?|css)$/.test(file) || /\.test\.|testing/.test(file)) continue;
    const text = readFileSync(join(folder, file), 'utf8');
    const imports = text.matchAll(
      /^(?:import |@import |(?:import (?!type).*|\}) from )'((?:@[^/']+\/)?[^./'][^/']*)/gm,
    );
    for (const [, name = ''] of imports) names.add(name);
  }
  expect(names).toContain('react');
  expect([...names].filter((name) => !parts.has(name))).toEqual([]);
});

test('native code and data beside the bundles are named', () => {
  expect([...parts.keys()]).toEqual(
    expect.arrayContaining([
      '@photostructure/sqlite',
      'onnxruntime-node',
      'node-addon-api',
      'pdfjs-dist',
      'tesseract.js-core',
    ]),
  );
});

test('each part has its licence and a text that grants something', () => {
  for (const [name, text] of parts) {
    expect(text, name).toMatch(/^\S+ \d\S* \(.+\)(, in \S+)?\n/);
    expect(text, name).toMatch(/permission|permitted|licensed under|grants/i);
  }
});
