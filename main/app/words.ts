/** Main's own words in each language. */
import type { Language } from '../../contract/language.ts';
import { en, type MainWords } from './words/en.ts';
import { zhCN } from './words/zh-CN.ts';

export type { MainWords };

export const mainWords: Readonly<Record<Language, MainWords>> = { en, 'zh-CN': zhCN };
