import type { StylePrompt } from './style.ts';

export const actionItems: StylePrompt = {
  version: 1,
  en: () =>
    'List every task, decision and deadline in the text above, one per line, each starting with "- ". If there are none, answer only "None".',
  zh: () => '列出上文提到的所有任务、决定和期限，每行一个，以“- ”开头。如果没有，只回答“无”。',
};
