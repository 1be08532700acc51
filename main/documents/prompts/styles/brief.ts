import type { StylePrompt } from './style.ts';

export const brief: StylePrompt = {
  version: 1,
  en: ({ count }) => `Summarise the text above in ${count} sentences.`,
  zh: ({ count }) => `用${count}句话概括上文。`,
};
