import type { StylePrompt } from './style.ts';

export const child: StylePrompt = {
  version: 1,
  en: ({ count }) => `Explain the text above to a ten-year-old in ${count} short sentences.`,
  zh: ({ count }) => `用${count}句简短的话把上文讲给十岁的孩子听。`,
};
