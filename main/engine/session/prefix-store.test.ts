/** Prompts that are kept on disk, with a tiny model: each engine below stands for a process of its own. */
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { AttentionOptions, KeptPrompt } from '../../../contract/engine.ts';
import { Engine } from '../engine.ts';
import { writeTinyLlama } from '../testdata/tiny-llama.ts';
import { groupOf, PrefixFolder } from './prefix-folder.ts';
import { GREEDY } from './sampler.ts';

const FULL: AttentionOptions = { mode: 'full', ratio: 1 };
const SHADOW: AttentionOptions = { mode: 'shadow', ratio: 0.2 };
const DOCUMENT = 'a'.repeat(64);
const OTHER = 'b'.repeat(64);
const KEEP: KeptPrompt = { documents: [DOCUMENT], tokens: 0, bytes: 1e9 };
const TEXT = Array.from({ length: 90 }, (_, i) => `line ${i} of ${(i * 7919) % 97}`).join('\n');

let dir: string;
let prefixesDir: string;
beforeAll(() => {
  dir = mkdtempSync(path.join(tmpdir(), 'prefixes 前缀-'));
  writeTinyLlama(path.join(dir, 'tiny.gguf'), { context: 4096, seed: 3 });
  writeTinyLlama(path.join(dir, 'other.gguf'), { context: 4096, seed: 4 });
});
afterAll(() => rmSync(dir, { recursive: true, force: true }));
beforeEach(() => {
  prefixesDir = mkdtempSync(path.join(dir, 'kept-'));
});

interface Asked {
  question: string;
  keep?: KeptPrompt;
  attention?: AttentionOptions;
  model?: string;
  contextSize?: number;
}

/** An answer by an engine that knows nothing but the folder. */
async function ask({ question, keep, attention = FULL, model = 'tiny', contextSize = 3000 }: Asked) {
  const engine = new Engine({ modelsDir: dir, bundlesDir: path.join(dir, 'bundles'), prefixesDir });
  try {
    await engine.load({ model: path.join(dir, `${model}.gguf`), weights: 'exact', threads: 1, contextSize });
    const prompt = { kind: 'raw', text: `${TEXT}\n${question}` } as const;
    const { text, cachedTokens, promptTokens } = await engine.generate({
      prompt,
      sampling: { ...GREEDY, maxTokens: 12 },
      attention,
      keep,
    });
    return { text, cachedTokens, promptTokens };
  } finally {
    await engine.close();
  }
}

function files(group = groupOf([DOCUMENT]) ?? ''): string[] {
  const folder = path.join(prefixesDir, group);
  return existsSync(folder) ? readdirSync(folder).map((name) => path.join(folder, name)) : [];
}

describe('a prompt that was kept', () => {
  it('is not read again, and the answer is what it would have been', async () => {
    const plain = await ask({ question: 'what comes next?' });
    expect(plain.cachedTokens).toBe(0);
    expect(files()).toEqual([]);
    await ask({ question: 'who is it?', keep: KEEP });
    expect(files()).toHaveLength(1);
    const again = await ask({ question: 'what comes next?', keep: KEEP });
    expect(again.text).toBe(plain.text);
    expect(again.promptTokens - again.cachedTokens).toBeLessThan(40);
    // The second one had little that the first lacks.
    expect(files()).toHaveLength(1);
    expect((await ask({ question: 'what comes next?' })).cachedTokens).toBe(0);
  });

  it('serves shadow attention too, but not another attention than it was read with', async () => {
    await ask({ question: 'one', keep: KEEP, attention: SHADOW });
    expect((await ask({ question: 'two', keep: KEEP })).cachedTokens).toBe(0);
    expect((await ask({ question: 'three', keep: KEEP, attention: SHADOW })).cachedTokens).toBeGreaterThan(400);
  });

  it('is none of another model or another document', async () => {
    await ask({ question: 'one', keep: KEEP });
    expect((await ask({ question: 'one', keep: KEEP, model: 'other' })).cachedTokens).toBe(0);
    expect((await ask({ question: 'one', keep: { ...KEEP, documents: [OTHER] } })).cachedTokens).toBe(0);
    // Each has its own now.
    expect(files()).toHaveLength(2);
    expect(files(groupOf([OTHER]))).toHaveLength(1);
  });

  it.each<[string, (bytes: Buffer) => Buffer]>([
    ['has a wrong bit', (bytes) => flipped(bytes, bytes.length - 5000)],
    ['has a wrong digest', (bytes) => flipped(bytes, bytes.length - 1)],
    ['ends too early', (bytes) => bytes.subarray(0, bytes.length - 100)],
    ['goes on too long', (bytes) => Buffer.concat([bytes, Buffer.from('x')])],
  ])('and %s is removed, and the prompt read anew', async (_, harm) => {
    const plain = await ask({ question: 'again' });
    await ask({ question: 'one', keep: KEEP });
    const [file = ''] = files();
    writeFileSync(file, harm(readFileSync(file)));
    expect(await ask({ question: 'again', keep: KEEP })).toEqual(plain);
    expect((await ask({ question: 'again', keep: KEEP })).cachedTokens).toBeGreaterThan(400);
  });

  it('of another version or without a header is passed over', async () => {
    await ask({ question: 'one', keep: KEEP });
    const [file = ''] = files();
    const bytes = readFileSync(file);
    writeFileSync(file, Buffer.from(bytes.toString('latin1').replace('"format":1', '"format":0'), 'latin1'));
    writeFileSync(path.join(path.dirname(file), 'empty.kv'), '');
    expect((await ask({ question: 'one', keep: KEEP })).cachedTokens).toBe(0);
  });
});

describe('prompts are kept', () => {
  it('within the room, those that were used last', async () => {
    await ask({ question: 'one', keep: KEEP });
    const [first = ''] = files();
    const { length } = readFileSync(first);
    const room = { ...KEEP, documents: [OTHER], bytes: length * 2.5 };
    utimesSync(first, 1, 1);
    await ask({ question: 'one', keep: room });
    expect(existsSync(first)).toBe(true);
    await ask({ question: 'one', keep: { ...room, documents: ['c'.repeat(64)] } });
    expect(existsSync(first)).toBe(false);
    expect(files(groupOf([OTHER]))).toHaveLength(1);
    expect(await new PrefixFolder(prefixesDir).bytes()).toBeLessThanOrEqual(room.bytes);
  });

  it('not where they, or those of the same job, take more than half of the room', async () => {
    await ask({ question: 'one', keep: { ...KEEP, bytes: 1000 } });
    await ask({ question: 'one', keep: { ...KEEP, tokens: 1e6 } });
    expect(files()).toEqual([]);
  });

  it('until a document of theirs is forgotten, or all are', async () => {
    const both = groupOf([DOCUMENT, OTHER]) ?? '';
    await ask({ question: 'one', keep: KEEP });
    await ask({ question: 'one', keep: { ...KEEP, documents: [DOCUMENT, OTHER] } });
    await ask({ question: 'one', keep: { ...KEEP, documents: [OTHER] } });
    const folder = new PrefixFolder(prefixesDir);
    await folder.forget(DOCUMENT);
    expect([files().length, files(both).length, files(groupOf([OTHER])).length]).toEqual([0, 0, 1]);
    await folder.retain([OTHER]);
    expect(files(groupOf([OTHER]))).toHaveLength(1);
    await folder.retain([DOCUMENT]);
    expect(await folder.bytes()).toBe(0);
    await ask({ question: 'one', keep: KEEP });
    expect(await folder.bytes()).toBeGreaterThan(1e5);
    await folder.clear();
    expect(await folder.bytes()).toBe(0);
  });
});

it('what writers left behind is removed, what others are writing is not', async () => {
  const group = path.join(prefixesDir, 'g');
  mkdirSync(group);
  for (const name of ['x.kv.999999999-ab.tmp', `y.kv.${process.pid}-ab.tmp`, 'notes.txt', 'z.kv'])
    writeFileSync(path.join(group, name), 'abc');
  const listed = await new PrefixFolder(prefixesDir).list();
  expect(listed.map(({ path: file, bytes }) => [path.basename(file), bytes])).toEqual([['z.kv', 3]]);
  expect(readdirSync(group).sort()).toEqual(['notes.txt', `y.kv.${process.pid}-ab.tmp`, 'z.kv']);
});

it('prompts of many documents have no place', () => {
  const ids = ['a', 'b', 'c', 'd', 'e'].map((letter) => letter.repeat(64));
  expect(groupOf(ids.slice(0, 4))?.split('-')).toHaveLength(4);
  expect(groupOf(ids)).toBeUndefined();
  expect(groupOf([])).toBeUndefined();
});

function flipped(bytes: Buffer, at: number): Buffer {
  const copy = Buffer.from(bytes);
  copy[at] = (copy[at] ?? 0) ^ 1;
  return copy;
}
