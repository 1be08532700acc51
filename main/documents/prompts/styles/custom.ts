import type { StylePrompt } from './style.ts';

export const custom: StylePrompt = { version: 1, en: ({ own }) => own, zh: ({ own }) => own };
