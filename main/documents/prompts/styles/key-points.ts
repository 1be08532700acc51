import type { StylePrompt } from './style.ts';

export const keyPoints: StylePrompt = {
  version: 1,
  en: ({ count }) =>
    `List the ${count} most important points of the text above, one per line, each starting with "- ". Keep names, numbers and dates.`,
  zh: ({ count }) => `列出上文最重要的${count}个要点，每行一个，以“- ”开头，保留人名、数字和日期。`,
};
