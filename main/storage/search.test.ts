import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { excerptOf } from './excerpt.ts';
import { openStorage, type Storage } from './storage.ts';

let folder: string;
let storage: Storage;

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'search '));
  storage = openStorage(folder);
});
afterEach(() => {
  storage.close();
  rmSync(folder, { recursive: true, force: true });
});

function chatWith(text: string, answer = `Reply to it: ${text.length}`): string {
  const chat = storage.chats.create();
  const exchange = storage.messages.addExchange({ chatId: chat.id, text: text, parentId: null });
  storage.messages.finish(exchange.answer.id, { text: answer, state: 'complete' });
  return chat.id;
}

const found = (query: string) => storage.search.search(query).hits.map(({ chatId }) => chatId);

describe('search', () => {
  it.each([
    ['Chinese, three characters', '量子力学很有趣', '子力学'],
    ['Chinese, two characters', '量子力学很有趣', '力学'],
    ['Chinese, two characters at the end', '量子力学很有趣', '有趣'],
    ['Chinese, one character', '量子力学很有趣', '子'],
    ['Chinese, the last character', '量子力学很有趣', '趣'],
    ['a text of one character', '好', '好'],
    ['Japanese', '東京タワーに行きました', 'タワー'],
    ['Korean, two syllables', '안녕하세요 여러분', '여러'],
    ['Cyrillic, other case', 'Привет, мир', 'ПРИВ'],
    ['Cyrillic, two letters, other case', 'Привет, мир', 'МИ'],
    ['inside a word, other case', 'The Electron window', 'LECTR'],
    ['two letters', 'The Electron window', 'wi'],
    ['two words, one short', 'The Electron window is up', 'is window'],
    ['signs that LIKE knows', 'saved 100% of it', '0%'],
    ['signs that the index knows', 'say "no" AND go', '"no" AND'],
    ['signs of patterns', 'a (b) [c] *d* $x^2$ e\\f', '[c] *d* x^2 e\\f'],
    ['emoji', 'party 🎉🎊🎈 time', '🎉🎊🎈'],
    ['one emoji', 'party 🎉🎊🎈 time', '🎊'],
  ])('finds %s', (_, text, query) => {
    chatWith('something else altogether');
    const id = chatWith(text);
    expect(found(query)).toEqual([id]);
  });

  it('looks in titles, and wants every word', () => {
    const id = chatWith('first');
    storage.chats.change(id, { title: 'Holiday plans' });
    expect(found('holiday first')).toEqual([id]);
    expect(found('holiday second')).toEqual([]);
    expect(found('_')).toEqual([]);
    expect(found('   ')).toEqual([]);
    expect(storage.search.search('HOLIDAY').hits).toEqual([{ chatId: id }]);
  });

  it('finds words of a chat in different messages, and shows the newest message with the most of them', () => {
    const id = chatWith('apples and pears', 'only pears here');
    const { answer } = storage.messages.addExchange({ chatId: id, text: 'apples, pears and plums', parentId: null });
    storage.messages.finish(answer.id, { text: 'pears', state: 'complete' });
    const [hit] = storage.search.search('apples pears').hits;
    expect(hit?.chatId).toBe(id);
    expect(hit?.message?.excerpt.filter((part) => part.hit).map((part) => part.text)).toEqual(['apples', 'pears']);
    expect(hit?.message?.excerpt.map((part) => part.text).join('')).toBe('apples, pears and plums');
  });

  it('finds an answer once it has ended', () => {
    const chat = storage.chats.create();
    const { answer } = storage.messages.addExchange({ chatId: chat.id, text: 'q', parentId: null });
    storage.messages.setText(answer.id, 'zebra cro');
    storage.messages.finish(answer.id, { text: 'zebra crossing', state: 'complete' });
    expect(found('crossing')).toEqual([chat.id]);
    storage.messages.finish(answer.id, { text: 'horse', state: 'complete' });
    expect(found('crossing')).toEqual([]);
    expect(found('ng')).toEqual([]);
  });

  it('does not look at deleted chats until they are brought back', () => {
    const id = chatWith('zebra');
    storage.chats.remove([id]);
    expect(found('zebra')).toEqual([]);
    storage.chats.restore([id]);
    expect(found('zebra')).toEqual([id]);
  });

  it('says so when there are more than it gives', () => {
    for (let i = 0; i < 201; i += 1) storage.chats.create({ title: `Recipe ${i}` }, i);
    const { hits, more } = storage.search.search('recipe');
    expect([hits.length, more]).toEqual([200, true]);
    expect(storage.chats.get(hits[0]?.chatId ?? '').title).toBe('Recipe 200');
    expect(storage.search.search('recipe 10').more).toBe(false);
  });
});

describe('an excerpt', () => {
  const shown = (text: string, ...words: string[]) =>
    excerptOf(text, words)
      .map((part) => (part.hit ? `[${part.text}]` : part.text))
      .join('');

  it('marks words as they stand', () => {
    expect(shown('A Fox and a fox.', 'fox')).toBe('A [Fox] and a [fox].');
    expect(shown('the database of data', 'data', 'database')).toBe('the [database] of [data]');
  });

  it('cuts long text around the first word, on one line', () => {
    const text = `${'x'.repeat(500)}\n\nneedle ${'y'.repeat(500)}`;
    const excerpt = shown(text, 'needle');
    expect(excerpt.startsWith(`…${'x'.repeat(38)} [needle] yyy`)).toBe(true);
    expect(excerpt.endsWith('y…')).toBe(true);
    expect(excerpt.length).toBeLessThan(170);
  });

  it('does not cut a character in two', () => {
    const text = `${'😀'.repeat(50)}a needle${'😀'.repeat(200)}`;
    for (const pad of ['', ' ', '  ']) expect(shown(pad + text, 'needle')).not.toMatch(/\p{Cs}/u);
  });

  it('is the beginning where no word is', () => {
    expect(shown('short text', 'zebra')).toBe('short text');
  });
});
