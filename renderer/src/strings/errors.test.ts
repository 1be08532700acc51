/** What main and the engine can say of an error has words in every language. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { zhCN } from './zh-CN.ts';

const ROOT = path.resolve(import.meta.dirname, '..', '..', '..');
/** Commands and measurements, which speak English, and tests. */
const ELSEWHERE = /main[\\/](cli|bench|engine[\\/](eval|calibration|testdata))[\\/]|[\\/]testing[\\/]|\.test\.ts$/;
/** Faults of ours: they say what a developer needs to know, and have a title by their kind. */
const FAULTS = new Set(["'internal'", "'usage'"]);
/** Functions that put a text into an error, and which of what they are given is one. */
const MAKERS = new Map([
  ['said', [0]],
  ['invalidModel', [1, 2]],
  ['unsupportedModel', [1, 2]],
  ['refuse', [1]],
  ['refusal', [0, 1]],
  ['onProcessor', [0]],
  ['placed', [2]],
  ['this.wrong', [1]],
  ['this.#wrongType', [1]],
  ['this.#array', [1]],
]);
/** Chinese does not say what of the database could not be done. */
const SHORTER = new Set(['Could not {0}: {1}.']);

const words = zhCN.errors.phrases;

/** Texts of errors in a source, and places where values are not kept apart from their text. */
function textsOf(file: string): { texts: string[]; mixed: string[] } {
  const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true);
  const texts: string[] = [];
  const mixed: string[] = [];
  function take(node: ts.Node | undefined): void {
    if (node === undefined) return;
    if (ts.isStringLiteralLike(node)) {
      if (node.text !== '') texts.push(node.text);
    } else if (ts.isTemplateExpression(node)) mixed.push(`${path.relative(ROOT, file)}: ${node.getText()}`);
    else if (ts.isConditionalExpression(node)) {
      take(node.whenTrue);
      take(node.whenFalse);
    } else if (ts.isBinaryExpression(node)) {
      take(node.left);
      take(node.right);
    }
  }
  function visit(node: ts.Node): void {
    if (ts.isCallExpression(node)) {
      for (const at of MAKERS.get(node.expression.getText()) ?? []) take(node.arguments[at]);
    }
    if (ts.isNewExpression(node) && node.expression.getText() === 'AppError') {
      if (FAULTS.has(node.arguments?.[0]?.getText() ?? '')) return;
      take(node.arguments?.[1]);
    }
    // Electron has actions too, such as 'deny'; a sentence begins with a capital.
    if (
      ts.isPropertyAssignment(node) &&
      node.name.getText() === 'action' &&
      !/^'[a-z]*'$/.test(node.initializer.getText())
    )
      take(node.initializer);
    if (
      ts.isTaggedTemplateExpression(node) &&
      node.tag.getText() === 'phrase' &&
      ts.isTemplateExpression(node.template)
    ) {
      const { head, templateSpans } = node.template;
      texts.push(head.text + templateSpans.map(({ literal }, at) => `{${at}}${literal.text}`).join(''));
    }
    ts.forEachChild(node, visit);
  }
  visit(source);
  return { texts, mixed };
}

const files = readdirSync(path.join(ROOT, 'main'), { recursive: true, encoding: 'utf8' })
  .map((name) => path.join(ROOT, 'main', name))
  .filter((file) => file.endsWith('.ts') && !ELSEWHERE.test(file));
const found = files.map(textsOf);

describe('errors', () => {
  it('keep their values apart from their text', () => {
    expect(found.flatMap(({ mixed }) => mixed)).toEqual([]);
  });

  it('have words in Chinese', () => {
    const texts = new Set(found.flatMap(({ texts }) => texts));
    expect(texts.size).toBeGreaterThan(200);
    expect([...texts].filter((text) => !(text in words)).sort()).toEqual([]);
  });

  it('say the same values in Chinese', () => {
    const values = (text: string) => [...new Set(text.match(/\{\d+\}/g))].sort();
    for (const [text, chinese] of Object.entries(words)) {
      if (!SHORTER.has(text)) expect(values(chinese), text).toEqual(values(text));
      // Punctuation alone needs no words.
      if (/\p{L}/u.test(text)) expect(chinese, text).toMatch(/\p{Script=Han}/u);
    }
  });
});
