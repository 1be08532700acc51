/** In which language a text is, as far as prompts need to know, and the names of languages as models know them. */
import type { SummaryLanguage } from '../../../contract/summaries.ts';

/** Languages that prompts are written in: models follow instructions best in the language of the text. */
export type PromptLanguage = 'en' | 'zh';

/** Texts that are looked at to tell a language, and how much of each, in UTF-16 code units. */
const SAMPLES = 40;
const SAMPLE_LENGTH = 500;

/** Pieces from all over `texts` in their order: enough to tell the language of all, however long they are. */
export function sampleOf(texts: readonly string[]): string {
  const count = Math.min(SAMPLES, texts.length);
  const pieces = Array.from({ length: count }, (_, i) => texts[Math.floor((i * texts.length) / count)] ?? '');
  return pieces.map((text) => text.slice(0, SAMPLE_LENGTH)).join('\n');
}

/** 'zh' for text that is mostly Chinese, else 'en'. Japanese has kana among its characters. */
export function promptLanguageOf(text: string): PromptLanguage {
  const han = text.match(/\p{Script=Han}/gu)?.length ?? 0;
  const kana = text.match(/[\p{Script=Hiragana}\p{Script=Katakana}]/gu)?.length ?? 0;
  const letters = text.match(/\p{L}/gu)?.length ?? 0;
  return letters > 0 && han / letters > 0.4 && kana < han / 10 ? 'zh' : 'en';
}

const NAMES: Record<Exclude<SummaryLanguage, 'document'>, Record<PromptLanguage, string>> = {
  en: { en: 'English', zh: '英文' },
  'zh-CN': { en: 'Simplified Chinese', zh: '简体中文' },
  es: { en: 'Spanish', zh: '西班牙文' },
  fr: { en: 'French', zh: '法文' },
  de: { en: 'German', zh: '德文' },
  ja: { en: 'Japanese', zh: '日文' },
};

/** What asks for the language of the answer; empty where the text's own needs no asking. */
export function languageRequest(wanted: SummaryLanguage, prompt: PromptLanguage): string {
  if (wanted === 'document') return '';
  return prompt === 'zh' ? `用${NAMES[wanted].zh}回答。` : ` Write in ${NAMES[wanted].en}.`;
}
