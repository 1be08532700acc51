/** Languages of the app's own words. */
import * as v from 'valibot';

const Language = v.picklist(['en', 'zh-CN']);
export type Language = v.InferOutput<typeof Language>;

/** `system`: the system's language where the app speaks it, else English. */
export const LanguageChoice = v.picklist(['system', ...Language.options]);
export type LanguageChoice = v.InferOutput<typeof LanguageChoice>;

/** The language that `choice` means where the system speaks `locale`, a BCP 47 tag such as "zh-Hans-CN". */
export function languageOf(choice: LanguageChoice, locale: string): Language {
  if (choice !== 'system') return choice;
  return /^zh\b/i.test(locale) ? 'zh-CN' : 'en';
}
