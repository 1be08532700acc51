/** What a summary that leaves the app says of itself, in the languages of the app. */
import type { PageUnit } from '../../../contract/documents.ts';
import type { Language } from '../../../contract/language.ts';

export interface MarkdownWords {
  readonly read: (tokens: number, of: number, percent: number, model: string) => string;
  readonly withoutText: (pages: readonly number[]) => string;
  readonly failed: (parts: readonly string[]) => string;
  readonly cut: string;
  readonly joined: string;
  readonly part: (index: number) => string;
  readonly pages: (from: number, to: number, unit: PageUnit) => string;
  /** `why` is in English. */
  readonly notSummarised: (why: string, beginning: string) => string;
  readonly notDone: string;
  readonly unfinished: string;
  /** Between sentences of one line. */
  readonly space: string;
}

export const markdownWords: Record<Language, MarkdownWords> = {
  en: {
    read: (tokens, of, percent, model) => `Read ${tokens} of ${of} tokens (${percent} %) with ${model}.`,
    withoutText: (pages) => `Pages without text: ${pages.join(', ')}.`,
    failed: (parts) => `Parts that failed: ${parts.join('; ')}.`,
    cut: '(This reached its length limit; a longer summary tells more.)',
    joined: '(The model made no whole of the parts; they stand one after another.)',
    part: (index) => `Part ${index + 1}`,
    pages: (from, to, unit) => {
      if (from === to) return `${{ page: 'p.', slide: 'slide', chapter: 'chapter', part: 'part' }[unit]} ${from}`;
      return `${{ page: 'pp.', slide: 'slides', chapter: 'chapters', part: 'parts' }[unit]} ${from}-${to}`;
    },
    notSummarised: (why, beginning) => `(Not summarised: ${why} The text begins: ${beginning})`,
    notDone: '(Not done.)',
    unfinished: '(This summary is not finished.)',
    space: ' ',
  },
  'zh-CN': {
    read: (tokens, of, percent, model) => `由 ${model} 读取了 ${of} 个词元中的 ${tokens} 个（${percent} %）。`,
    withoutText: (pages) => `没有文字的页：${pages.join('、')}。`,
    failed: (parts) => `失败的部分：${parts.join('；')}。`,
    cut: '（已达到长度上限；选择更长的摘要可以看到更多内容。）',
    joined: '（模型没有把各部分合成一体，它们依次列出。）',
    part: (index) => `第 ${index + 1} 部分`,
    pages: (from, to, unit) =>
      `第 ${from === to ? from : `${from}–${to}`} ${{ page: '页', slide: '张幻灯片', chapter: '章', part: '部分' }[unit]}`,
    notSummarised: (_why, beginning) => `（这一部分没有摘要，原文开头是：${beginning}）`,
    notDone: '（尚未完成。）',
    unfinished: '（这份摘要尚未完成。）',
    space: '',
  },
};
