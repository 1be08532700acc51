import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openLog } from '../support/logger.ts';
import { isWebLink } from './links.ts';
import { fileOf } from './page-files.ts';
import { DEFAULT_STATE, readState, writeState } from './window-state.ts';
import { mainWords } from './words.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'app-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('pages', () => {
  const root = path.resolve('/app/renderer');
  it.each(['index.html', 'assets/index-1.js', 'assets/%E4%BD%A0.css'])('serves %s', (name) => {
    expect(fileOf(root, `app://shadownpu/${name}`)).toBe(path.join(root, decodeURIComponent(name)));
  });
  it.each([
    'app://shadownpu/%2e%2e%2fmain.cjs',
    'app://shadownpu/assets/..%2f..%2f..%2fetc/passwd',
    'app://shadownpu/..%5cmain.cjs',
    'app://shadownpu/a%00.js',
    'app://shadownpu/%',
    'app://elsewhere/index.html',
    'file:///etc/passwd',
    '',
  ])('does not serve %j', (url) => {
    expect(fileOf(root, url)).toBeUndefined();
  });
  it.each(['app://shadownpu/../main.cjs', 'app://shadownpu/%2e%2e/main.cjs'])('keeps %s inside its folder', (url) => {
    expect(fileOf(root, url)).toBe(path.join(root, 'main.cjs'));
  });
});

describe('links', () => {
  it('that are https go to the browser', () => {
    expect(isWebLink('https://example.org/a?b#c')).toBe(true);
  });
  it.each([
    'http://example.org',
    'file:///etc/passwd',
    'javascript:alert(1)',
    'data:text/html,x',
    'smb://host/share',
    'ms-msdt:/id',
    'https://user:pass@example.org',
    'https://bank.com@evil.org',
    'https:',
    'nonsense',
  ])('like %s stay closed', (url) => {
    expect(isWebLink(url)).toBe(false);
  });
});

describe('window state', () => {
  const screen = { x: 0, y: 0, width: 1920, height: 1080 };
  const state = { size: { width: 900, height: 700 }, position: { x: 50, y: 60 }, maximized: true, zoomLevel: 1.5 };
  const file = () => path.join(folder, 'window.json');

  it('is kept', () => {
    writeState(file(), state);
    expect(readState(file(), [screen])).toEqual(state);
  });
  it('forgets its place when that screen is gone', () => {
    writeState(file(), { ...state, position: { x: 2500, y: 60 } });
    const { position: _, ...rest } = state;
    expect(readState(file(), [screen])).toEqual(rest);
  });
  it.each(['', '{', '[]', '{"size": {"width": 1e9, "height": 5}}', 'null'])('%j gives the default', (text) => {
    writeFileSync(file(), text);
    expect(readState(file(), [screen])).toEqual(DEFAULT_STATE);
  });
  it('is given up silently where it cannot be written', () => {
    writeState(path.join(folder, 'missing', 'window.json'), state);
    expect(readState(path.join(folder, 'missing', 'window.json'), [screen])).toEqual(DEFAULT_STATE);
  });
});

describe('the log', () => {
  it('starts a new file when the old one is full', () => {
    const log = openLog(path.join(folder, 'logs'), 100);
    for (let i = 0; i < 5; i += 1) log(`line ${i} ${'x'.repeat(60)}`);
    const current = readFileSync(path.join(folder, 'logs', 'main.log'), 'utf8');
    expect(current).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z line 4 x+\n$/);
    expect(readFileSync(path.join(folder, 'logs', 'main.old.log'), 'utf8')).toContain('line 3');
  });
  it('troubles nobody where its folder cannot be made', () => {
    writeFileSync(path.join(folder, 'file'), '');
    openLog(path.join(folder, 'file', 'logs'))('line');
    expect(existsSync(path.join(folder, 'file', 'logs'))).toBe(false);
  });
});

describe('words', () => {
  it('are there in every language, with the same marks', () => {
    const english = leaves(mainWords.en);
    const chinese = new Map(leaves(mainWords['zh-CN']));
    expect([...chinese.keys()]).toEqual(english.map(([at]) => at));
    for (const [at, text] of english) {
      expect(text.trim(), at).not.toBe('');
      expect(chinese.get(at), at).toMatch(/\p{Script=Han}/u);
      expect(chinese.get(at)?.includes('&'), at).toBe(text.includes('&'));
    }
  });
});

/** Texts by their path. */
function leaves(value: unknown, at = ''): [where: string, text: string][] {
  if (typeof value === 'function') return [[at, String(value)]];
  if (typeof value === 'string') return [[at, value]];
  return Object.entries(value as object).flatMap(([key, child]) => leaves(child, `${at}.${key}`));
}
