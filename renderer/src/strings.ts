/**
 * Every text of the window in the language of now. Read `strings.x.y` while rendering, never at module level and never
 * kept: the language can change. App is mounted anew when it does.
 */
import type { Language } from '../../contract/language.ts';
import { setFormatLanguage } from './format.ts';
import { en, type Strings } from './strings/en.ts';
import { zhCN } from './strings/zh-CN.ts';

export type { Strings };

const languages: Readonly<Record<Language, Strings>> = { en, 'zh-CN': zhCN };

export let strings: Strings = en;

/** From now on texts and numbers are in this language. */
export function setLanguage(language: Language): void {
  strings = languages[language];
  setFormatLanguage(language);
}
