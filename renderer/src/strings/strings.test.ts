/** Every text is there in every language, says the same things, and no module keeps one in a language of yesterday. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';
import { afterEach, describe, expect, it } from 'vitest';
import { formatCount, formatPercent, formatSeconds, formatSpeed } from '../format.ts';
import { setLanguage, strings } from '../strings.ts';
import { en } from './en.ts';
import { zhCN } from './zh-CN.ts';

const SOURCE = path.resolve(import.meta.dirname, '..');

afterEach(() => setLanguage('en'));

/** Texts by their path, such as "chats.groups.today"; functions as they are. */
function leaves(value: unknown, at = ''): [where: string, text: unknown][] {
  if (typeof value !== 'object' || value === null) return [[at, value]];
  return Object.entries(value).flatMap(([key, child]) => leaves(child, at === '' ? key : `${at}.${key}`));
}

/** Names, keys, and what stands between two values: the same in every language. */
const UNTRANSLATED = new Set([
  'appName',
  'chats.searchHint',
  'devices.types.CPU',
  'devices.types.GPU',
  'devices.types.NPU',
  'settings.attention.modes.shadow',
  'about.versions',
  'about.platform',
  'figures.model',
  'figures.devices',
  'prefill.speed',
  'models.get.note',
  'deviceWords',
  'resources.accelerator.npu',
  'resources.accelerator.gpu',
  'resources.degrees',
  'pipeline.lane',
  'documents.reading',
  'compare.entry',
  'compare.curveMode',
  'documents.summary.languages.en',
  'documents.summary.languages.es',
  'documents.summary.languages.fr',
  'documents.summary.languages.de',
]);
/** Only languages that need them have these (errors.test.ts). */
const OPTIONAL = /^errors\.(byKind|phrases)/;

const ENGLISH = leaves(en).filter(([at]) => !OPTIONAL.test(at));
const CHINESE = new Map(leaves(zhCN).filter(([at]) => !OPTIONAL.test(at)));

describe('texts', () => {
  it('are there in both languages, under the same keys, none empty', () => {
    expect([...CHINESE.keys()].sort()).toEqual(ENGLISH.map(([at]) => at).sort());
    for (const [at, text] of [...ENGLISH, ...leaves(zhCN)]) {
      if (typeof text === 'string') expect(text.trim(), at).not.toBe('');
      else expect(typeof text, at).toBe('function');
    }
  });

  it('are Chinese in Chinese', () => {
    const english = ENGLISH.filter(([at]) => !UNTRANSLATED.has(at))
      .filter(([at]) => !/\p{Script=Han}/u.test(String(CHINESE.get(at))))
      .map(([at]) => at);
    expect(english).toEqual([]);
    const needless = [...UNTRANSLATED].filter((at) => /^$|\p{Script=Han}/u.test(String(CHINESE.get(at) ?? '')));
    expect(needless).toEqual([]);
  });

  it('of functions use the same values in both languages', () => {
    const chinese = new Map(functionsOf('zh-CN'));
    const differing = functionsOf('en')
      .filter(([at]) => at in Object.fromEntries(ENGLISH))
      .filter(([at, used]) => chinese.get(at) !== used && !at.startsWith('words.'))
      .map(([at, used]) => `${at}: ${used} in English, ${chinese.get(at)} in Chinese`);
    expect(differing).toEqual([]);
    expect(functionsOf('en').length).toBeGreaterThan(40);
  });
});

describe('a change of the language', () => {
  it('changes texts and numbers', () => {
    expect(strings.rail.settings).toBe('Settings');
    setLanguage('zh-CN');
    expect(strings.rail.settings).toBe('设置');
    expect(formatCount(12_345)).toBe('12,345');
    expect(formatPercent(0.2)).toBe('20%');
    expect(formatSpeed(812.4)).toBe('812\u202f词元/秒');
    expect(formatSeconds(185)).toBe('3\u202f分 05\u202f秒');
  });

  it('reaches everything: no module reads a text while it is loaded', () => {
    const files = sources(SOURCE).filter((file) => !/\.test\.tsx?$/.test(file));
    expect(files.length).toBeGreaterThan(60);
    expect(files.flatMap((file) => readsAtModuleLevel(file, readFileSync(file, 'utf8')))).toEqual([]);
  });

  it('is what that check looks at', () => {
    const read = (text: string) => readsAtModuleLevel('x.tsx', text);
    expect(read('const words = strings.chat;')).toHaveLength(1);
    expect(read('export const names = [{ a: strings.chat.a }];')).toHaveLength(1);
    expect(read('const { chat } = strings;')).toHaveLength(1);
    expect(read('class A { static words = strings.chat; }')).toHaveLength(1);
    expect(read('const words = () => strings.chat;')).toEqual([]);
    expect(read('function A() { return strings.chat; }')).toEqual([]);
    expect(read('type A = typeof strings.chat; const my = { strings: 1 }.strings;')).toEqual([]);
  });
});

function sources(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const name = path.join(folder, entry.name);
    if (entry.isDirectory()) return sources(name);
    return /\.tsx?$/.test(entry.name) && name !== path.join(SOURCE, 'strings.ts') ? [name] : [];
  });
}

function parse(file: string, text: string): ts.SourceFile {
  return ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true, ts.ScriptKind.TSX);
}

function readsAtModuleLevel(file: string, text: string): string[] {
  const found: string[] = [];
  function look(node: ts.Node): void {
    if (ts.isFunctionLike(node) || ts.isTypeNode(node) || ts.isImportDeclaration(node)) return;
    if (ts.isPropertyDeclaration(node) && !node.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.StaticKeyword))
      return;
    if (ts.isPropertyAccessExpression(node)) look(node.expression);
    else if (ts.isPropertyAssignment(node)) look(node.initializer);
    else if (ts.isIdentifier(node) && node.text === 'strings')
      found.push(`${file}: ${node.parent.getText().slice(0, 80)}`);
    else ts.forEachChild(node, look);
  }
  look(parse(file, text));
  return found;
}

/** Every function among the texts of a language: where, and which of its parameters and their parts it reads. */
function functionsOf(language: string): [where: string, used: string][] {
  const folder = path.join(SOURCE, 'strings', language);
  return readdirSync(folder).flatMap((name) => {
    const found: [string, string][] = [];
    function look(node: ts.Node, at: readonly string[]): void {
      if (ts.isArrowFunction(node)) found.push([at.join('.'), usedParameters(node)]);
      else if (ts.isPropertyAssignment(node)) look(node.initializer, [...at, nameOf(node.name)]);
      else ts.forEachChild(node, (child) => look(child, at));
    }
    look(parse(name, readFileSync(path.join(folder, name), 'utf8')), []);
    return found;
  });
}

function nameOf(name: ts.PropertyName): string {
  return ts.isStringLiteral(name) || ts.isIdentifier(name) ? name.text : name.getText();
}

/** Parameters by number, parts of taken-apart ones by name, each only where the body reads it. */
function usedParameters({ parameters, body }: ts.ArrowFunction): string {
  const read = new Set<string>();
  function look(node: ts.Node): void {
    if (ts.isIdentifier(node)) read.add(node.text);
    ts.forEachChild(node, look);
  }
  look(body);
  return parameters
    .flatMap(({ name }, index) =>
      ts.isIdentifier(name)
        ? [[String(index), name.text] as const]
        : name.elements.flatMap((element) =>
            ts.isBindingElement(element) ? [[element.name.getText(), element.name.getText()] as const] : [],
          ),
    )
    .filter(([, name]) => read.has(name))
    .map(([shown]) => shown)
    .sort()
    .join(', ');
}
