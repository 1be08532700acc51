/** Exported summaries, opened again by a program that is not ours. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Summary, SummarySection } from '../../contract/summaries.ts';
import { hasTool, runTool } from '../documents/testing/tools.ts';
import { openStorage, type Storage } from '../storage/storage.ts';
import { SummaryFiles } from './summary-files.ts';

let folder: string;
let storage: Storage;
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'exports 导出 '));
  storage = openStorage(folder);
});
afterAll(() => {
  storage.close();
  rmSync(folder, { recursive: true, force: true });
});

const section = (title: string, pages: [number, number], text: string, more: Partial<SummarySection> = {}) => ({
  title,
  pages,
  tokens: 100,
  text,
  points: [{ text: text.replace(/^- /, ''), citations: [{ documentId: 'd', page: pages[0], score: 1 }] }],
  state: 'done' as const,
  ...more,
});

function summaryOf(change: Partial<Summary>): Summary {
  const { id } = storage.documents.add('桥梁 & <bridge>.pdf', '/nowhere/bridge.pdf', 1);
  return {
    id: 's',
    documentId: id,
    documentName: '桥梁 & <bridge>.pdf',
    options: { style: 'key-points', length: 'short', language: 'document' },
    plan: {
      strategy: 'sections',
      sections: [],
      rounds: 1,
      documentTokens: 300,
      contextSize: 2048,
      seconds: 1,
      measured: true,
      pagesWithoutText: [],
    },
    state: 'complete',
    sections: [
      section('历史', [1, 2], '- 大桥建于一九二八年。'),
      section('Costs', [3, 3], '- The repair cost 3 & 4 <million> marks.'),
      section('', [4, 4], 'It begins so.', { state: 'failed', error: { kind: 'bad-input', message: 'No answer.' } }),
    ],
    text: '- 大桥建于一九二八年。\n- The repair cost 3 & 4 <million> marks.',
    points: [
      { text: '大桥建于一九二八年。', citations: [{ documentId: id, page: 1, score: 1 }] },
      {
        text: 'The repair cost 3 & 4 <million> marks.',
        citations: [{ documentId: id, page: 3, label: 'iv', score: 1 }],
      },
    ],
    coverage: { tokensRead: 200, tokensTotal: 300, pagesWithoutText: [5], failedSections: [2] },
    model: 'TestModel',
    prompts: 1,
    createdAt: 1,
    seconds: 3,
    ...change,
  };
}

const filesTo = (target: string | undefined, language: 'en' | 'zh-CN' = 'en') =>
  new SummaryFiles({
    storage,
    emit: () => undefined,
    chooseTarget: async () => target,
    // What is printed; the window prints it in e2e/documents.spec.ts.
    print: async (html) => Buffer.from(html),
    language: () => language,
  });

async function exported(summary: Summary, format: 'markdown' | 'docx' | 'pdf', language?: 'en' | 'zh-CN') {
  const target = path.join(folder, `out.${format}`);
  await filesTo(target, language).export(summary, format);
  return target;
}

it('says what was read, what was not and why, in the language of the window', async () => {
  const text = readFileSync(await exported(summaryOf({ state: 'stopped' }), 'markdown'), 'utf8');
  expect(text).toBe(
    [
      '# 桥梁 & <bridge>.pdf',
      'Read 200 of 300 tokens (66 %) with TestModel. Pages without text: 5. Parts that failed: Part 3.',
      '(This summary is not finished.)',
      '- 大桥建于一九二八年。 [1]\n- The repair cost 3 & 4 <million> marks. [iv]',
      '## 历史 (pp. 1-2)',
      '- 大桥建于一九二八年。 [1]',
      '## Costs (p. 3)',
      '- The repair cost 3 & 4 <million> marks. [3]',
      '## p. 4',
      '(Not summarised: No answer. The text begins: It begins so.)',
      '',
    ]
      .join('\n\n')
      .replace(/\n\n$/, '\n'),
  );
  const chinese = readFileSync(await exported(summaryOf({ cut: true }), 'markdown', 'zh-CN'), 'utf8');
  expect(chinese).toContain(
    '由 TestModel 读取了 300 个词元中的 200 个（66 %）。没有文字的页：5。失败的部分：第 3 部分。',
  );
  expect(chinese).toContain('（已达到长度上限；选择更长的摘要可以看到更多内容。）');
  expect(chinese).not.toMatch(/Read|failed|Not summarised|No answer/);
});

it.each<[string, Partial<Summary>, RegExp]>([
  ['the whole, with its pages', {}, /^- 大桥建于一九二八年。 \[1\]\n- The repair cost 3 & 4 <million> marks. \[iv\]$/],
  [
    'of an unfinished one the parts',
    { state: 'stopped', text: '', points: [] },
    /not finished[\s\S]*## Costs \(p\. 3\)/,
  ],
])('goes along into a chat: %s', (_, change, note) => {
  const { chatId } = filesTo(undefined).toChat(summaryOf(change));
  expect(storage.messages.list(chatId)[0]?.note?.trim()).toMatch(note);
});

describe.skipIf(!hasTool('pandoc'))('opened by pandoc', () => {
  const asMarkdown = (file: string, format: 'docx' | 'html') =>
    runTool('pandoc', `--from=${format}`, '--to=commonmark', '--wrap=none', file).replaceAll(/^- +/gm, '- ');

  it('a Word document has its headings, items and pages, Chinese among them', async () => {
    const text = asMarkdown(await exported(summaryOf({}), 'docx'), 'docx');
    const lines = text.split('\n').filter((line) => line.trim() !== '');
    expect(lines).toEqual([
      '# 桥梁 & \\<bridge\\>.pdf',
      'Read 200 of 300 tokens (66 %) with TestModel. Pages without text: 5. Parts that failed: Part 3.',
      '- 大桥建于一九二八年。 \\[1\\]',
      '- The repair cost 3 & 4 \\<million\\> marks. \\[iv\\]',
      '## 历史 (pp. 1-2)',
      '- 大桥建于一九二八年。 \\[1\\]',
      '## Costs (p. 3)',
      '- The repair cost 3 & 4 \\<million\\> marks. \\[3\\]',
      '## p. 4',
      '(Not summarised: No answer. The text begins: It begins so.)',
    ]);
  });

  it('the page that is printed has the same, and lists that are lists', async () => {
    const file = await exported(summaryOf({}), 'pdf');
    const html = path.join(folder, 'out.html');
    writeFileSync(html, readFileSync(file));
    const text = asMarkdown(html, 'html');
    expect(text).toContain('# 桥梁 & \\<bridge\\>.pdf');
    expect(text).toContain('- 大桥建于一九二八年。 \\[1\\]\n- The repair cost 3 & 4 \\<million\\> marks. \\[iv\\]');
    expect(text).toContain('## 历史 (pp. 1-2)');
  });
});
