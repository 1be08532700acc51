/** Documents, their summaries, and questions about them. */
import type { PageProblem, PageUnit } from '../../../../contract/documents.ts';
import type { LibraryDocument, SkipReason } from '../../../../contract/library-documents.ts';
import type { SummaryCoverage, SummaryPlan } from '../../../../contract/summaries.ts';
import { formatBytes, formatCount, formatPercent, formatSeconds, isPageNumber, lineNumbers } from '../../format.ts';

const problemWords: Record<PageProblem, string> = {
  scanned: '只有图片，没有文字',
  unreadable: '字符无法识别',
  broken: '已损坏',
  cut: '太长，末尾未读取',
};

const leftOutWords: Record<SkipReason, (count: number) => string> = {
  unreadable: (count) => `${formatCount(count)} 个文件或文件夹无权读取：`,
  'too-deep': (count) => `${formatCount(count)} 个文件夹层级太深：`,
  limit: () => '超出一次可添加的文件数，从这里开始未添加：',
  'not-a-document': (count) => `${formatCount(count)} 个文件的类型无法读取：`,
  link: (count) => `${formatCount(count)} 个指向别处的链接：`,
  hidden: (count) => `${formatCount(count)} 个隐藏的或属于程序的文件或文件夹：`,
};

const unitWords: Record<PageUnit, string> = { page: '页', slide: '张幻灯片', chapter: '章', part: '部分' };

/** Where something stands, in a few letters. */
function placeOf(label: string, unit: PageUnit): string {
  const lines = lineNumbers(label);
  if (lines) return lines[0] === lines[1] ? `第 ${lines[0]} 行` : `第 ${lines[0]}–${lines[1]} 行`;
  return isPageNumber(label) ? `第 ${label} ${unitWords[unit]}` : label;
}

function pages(numbers: readonly number[]): string {
  const shown = numbers.slice(0, 12).map(formatCount).join('、');
  return numbers.length > 12 ? `${shown} 等 ${formatCount(numbers.length)} 页` : shown;
}

export const documents = {
  documents: {
    title: '文档',
    list: '您的文档',
    addFiles: '添加文档',
    addFolder: '添加文件夹',
    paste: '粘贴文字',
    more: '更多添加方式',
    drop: '拖放文件或文件夹即可读取',
    none: '还没有文档。',
    leftOut: {
      title: (added: number) => `添加了 ${formatCount(added)} 份文档，文件夹中还有内容未添加`,
      reasons: leftOutWords,
      names: (names: readonly string[], count: number) =>
        `${names.join('、')}${count > names.length ? ` 等 ${formatCount(count)} 项` : ''}`,
      close: '关闭',
    },
    emptyTitle: '读完整份文档，而不是片段',
    empty:
      '添加 PDF、Word、OpenDocument、PowerPoint 或 EPUB 文件、网页或文本。它会在这台电脑上从第一页读到最后一页，摘要的每一点都注明出自哪一页。',
    pasteTitle: '概括一段文字',
    pasteLabel: '文字',
    pasteAdd: '添加这段文字',
    facts: ({ pageCount = 0, unit, tokens, bytes }: LibraryDocument) =>
      [
        `${formatCount(pageCount)} ${unitWords[unit ?? 'page']}`,
        ...(tokens === undefined ? [] : [`${formatCount(tokens)} 词元`]),
        formatBytes(bytes),
      ].join(' · '),
    locked: '需要密码',
    states: { waiting: '等待读取', reading: '正在读取', ready: '已读取', failed: '无法读取' },
    reading: (done: number, total: number) => `${formatCount(done)} / ${formatCount(total)}`,
    stopReading: '停止读取',
    ocr: {
      title: '图片中的文字',
      offer: (count: number) =>
        `有 ${formatCount(count)} 页是图片。可以在这台电脑上识别其中的文字，每页需要几秒钟，结果可能有误。`,
      languages: { eng: '英文', chi_sim: '简体中文' },
      fetch: (bytes: number) => `下载（${formatBytes(bytes)}）`,
      fetchLabel: (language: string, bytes: number) => `下载${language}识别数据，${formatBytes(bytes)}`,
      fetching: (language: string) => `正在下载${language}`,
      stop: '停止',
      start: (count: number) => `识别 ${formatCount(count)} 页的文字`,
      working: '正在识别图片中的文字',
      mark: '从图片中识别，可能有误。',
    },
    readAgain: '重新读取',
    changed: '文件在读取之后有改动。',
    gone: '文件已不在原处。已读取的内容仍在这里。',
    password: '密码',
    unlock: '打开',
    pageProblem: (problem: PageProblem, numbers: readonly number[]) =>
      `第 ${pages(numbers)} 页：${problemWords[problem]}。`,
    recognised: (numbers: readonly number[]) => `第 ${pages(numbers)} 页：文字从图片中识别，可能有误。`,
    fileProblem: {
      damaged: '文件已损坏。能恢复的内容都在这里，可能有缺失。',
      'missing-part': (part: string) => `有一部分无法读取：${part}。`,
      'protected-part': (part: string) => `受保护的部分未读取：${part}。`,
      cut: '文档超出可读取的最大长度，其余部分未读取。',
      encoding: (encoding: string, wrong: number) =>
        wrong === 0 ? `编码是推测的：${encoding}。` : `有 ${formatCount(wrong)} 个字符不属于 ${encoding}。`,
    },
    remove: '从列表中移除',
    removeTitle: '要移除这份文档吗？',
    removeText: '这里保存的文字和摘要会被删除，文件本身不受影响。',
    text: '原文',
    hideText: '隐藏原文',
    page: (label: string, unit: PageUnit) => (isPageNumber(label) ? `第 ${label} ${unitWords[unit]}` : label),
    lines: (first: number, last: number) => `第 ${formatCount(first)} 至 ${formatCount(last)} 行`,
    goTo: (count: number) => `转到某一页，1 至 ${formatCount(count)}`,
    goToShort: '页码',
    ofPages: (count: number) => `共 ${formatCount(count)}`,
    earlierPages: '显示前面的页',
    laterPages: '显示更多页',
    noText: '本页没有文字。',
    summary: {
      title: '摘要',
      style: '形式',
      styles: {
        brief: '简述',
        'key-points': '要点',
        structured: '按章节',
        'action-items': '待办事项',
        child: '讲给孩子听',
        custom: '自定义',
      },
      length: '长度',
      lengths: { short: '短', medium: '中', long: '长' },
      language: '语言',
      languages: {
        document: '与文档相同',
        en: 'English',
        'zh-CN': '简体中文',
        es: 'Español',
        fr: 'Français',
        de: 'Deutsch',
        ja: '日本語',
      },
      instruction: '关注什么',
      instructionCustom: '希望模型如何处理每一部分',
      planning: '正在估算所需时间',
      plan: ({ strategy, sections, documentTokens, contextSize, seconds, measured }: SummaryPlan) =>
        [
          strategy === 'whole'
            ? `共 ${formatCount(documentTokens)} 词元，一次读完。`
            : `共 ${formatCount(documentTokens)} 词元，超过模型一次能读的 ${formatCount(contextSize)}：分 ${formatCount(sections.length)} 部分读取，再合并。`,
          `大约需要 ${formatSeconds(seconds)}${measured ? '' : '（该模型尚未运行过，仅为推测）'}。`,
        ].join(''),
      nothing: '这份文档中没有可以概括的文字。',
      start: (sections: number) => (sections <= 1 ? '生成摘要' : `分 ${formatCount(sections)} 部分生成摘要`),
      another: '新建摘要',
      stop: '停止',
      stopHelp: '已完成的部分会保留。',
      resume: '继续',
      states: { waiting: '等待中', running: '正在撰写', stopped: '已停止', complete: '已完成', failed: '失败' },
      progress: (done: number, total: number) => `已完成 ${formatCount(done)} / ${formatCount(total)} 部分`,
      prefill: (done: number, total: number) => `正在读取第 ${formatCount(done)} / ${formatCount(total)} 个词元`,
      whole: '全文',
      wholeWriting: '正在合并各部分',
      parts: '各部分',
      part: (index: number) => `第 ${formatCount(index + 1)} 部分`,
      pagesOf: (from: number, to: number, unit: PageUnit) =>
        `第 ${from === to ? formatCount(from) : `${formatCount(from)}–${formatCount(to)}`} ${unitWords[unit]}`,
      sectionStates: { waiting: '等待', running: '正在撰写', done: '完成', failed: '失败' },
      redo: '重新生成这一部分',
      cut: '这一部分的摘要达到了长度上限。',
      joined: '模型没有把各部分合成一体，它们依次列出。',
      cutWhole: '已达到长度上限；选择更长的摘要可以看到更多内容。',
      extract: '这一部分没有摘要，原文开头是：',
      coverage: ({ tokensRead, tokensTotal }: SummaryCoverage) =>
        `已读 ${formatPercent(tokensTotal === 0 ? 0 : tokensRead / tokensTotal)}：${formatCount(tokensRead)} / ${formatCount(tokensTotal)} 词元。`,
      coverageWithout: (numbers: readonly number[]) => `没有文字的页：${pages(numbers)}。`,
      coverageFailed: (count: number) => `有 ${formatCount(count)} 个部分失败，未计入全文。`,
      took: (seconds: number, model: string) => `${model} 用时 ${formatSeconds(seconds)}`,
      export: '导出',
      exportMarkdown: '导出为 Markdown',
      exportDocx: '导出为 Word 文档',
      exportPdf: '导出为 PDF',
      toChat: '在对话中打开',
      remove: '删除这份摘要',
      cite: placeOf,
      citeLabel: (label: string, unit: PageUnit, text: string) =>
        `显示出处（${placeOf(label, unit)}）：${text.slice(0, 80)}`,
      kept: '这份文档的摘要',
    },
    ask: {
      title: '提问',
      label: '关于这份文档的问题',
      placeholder: '就这份文档提问',
      also: (count: number) => (count === 0 ? '同时询问其他文档' : `同时询问其他文档（${formatCount(count)}）`),
      find: '查找文档',
      more: (count: number) => `还有 ${formatCount(count)} 份，可按名称查找。`,
      send: '提问',
      stop: '停止',
      read: (sections: number, of: number) => `查看了 ${formatCount(of)} 个段落中的 ${formatCount(sections)} 个。`,
      stopped: '已停止。',
      looking: '正在查找可能的答案',
    },
  },
};
