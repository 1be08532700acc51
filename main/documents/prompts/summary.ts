/**
 * Prompts for summaries; each style's request is in a file of its own, with its version. The text comes first and the
 * request last: small models forget what stands far before the end, and another request about the same text finds it in
 * the KV cache. Short requests, no examples: the default model of 135 million weights copies examples into its answer.
 */
import type { ChatTurn } from '../../../contract/engine.ts';
import type { SummaryLength, SummaryOptions, SummaryStyle } from '../../../contract/summaries.ts';
import { languageRequest, type PromptLanguage } from './language.ts';
import { actionItems } from './styles/action-items.ts';
import { brief } from './styles/brief.ts';
import { child } from './styles/child.ts';
import { custom } from './styles/custom.ts';
import { keyPoints } from './styles/key-points.ts';
import type { StylePrompt } from './styles/style.ts';

/** A summary by section has the key points of each. */
const STYLES: Record<SummaryStyle, StylePrompt> = {
  brief,
  'key-points': keyPoints,
  structured: keyPoints,
  'action-items': actionItems,
  child,
  custom,
};

/** Goes up whenever the wording of a style does. */
export function summaryPromptVersion(style: SummaryStyle): number {
  return STYLES[style].version;
}

/** Points or sentences that are asked for, by length. */
const POINTS: Record<SummaryLength, number> = { short: 2, medium: 4, long: 7 };
/** Tokens that an answer may have; a list that is cut by it says so. */
const ANSWER_TOKENS: Record<SummaryLength, number> = { short: 120, medium: 240, long: 480 };

export function answerTokens(length: SummaryLength): number {
  return ANSWER_TOKENS[length];
}

/** Asks for a summary of a text: the whole document, or one section of it. */
export function summaryPrompt(text: string, options: SummaryOptions, language: PromptLanguage): ChatTurn[] {
  return asked(text, request(options, language), language);
}

/** Asks for one summary from those of consecutive parts. */
export function combinePrompt(notes: string, options: SummaryOptions, language: PromptLanguage): ChatTurn[] {
  const about =
    language === 'zh'
      ? `以上是一份文件各部分的摘要。${request(options, language).replaceAll('上文', '整份文件')}`
      : `The notes above are about the parts of one document. ${request(options, language).replaceAll('the text above', 'the whole document')}`;
  return asked(notes, about, language);
}

function asked(text: string, what: string, language: PromptLanguage): ChatTurn[] {
  return [
    {
      role: 'system',
      content:
        language === 'zh'
          ? '你如实概括文件，不添加文件中没有的内容。'
          : 'You summarise documents faithfully and add nothing that they do not say.',
    },
    { role: 'user', content: `${text}\n\n---\n${what}` },
  ];
}

function request({ style, length, language: wanted, instruction }: SummaryOptions, language: PromptLanguage): string {
  const count = POINTS[length];
  const own = instruction?.trim() ?? '';
  const focus =
    own === '' || style === 'custom' ? '' : language === 'zh' ? `重点关注：${own}。` : ` Pay attention to: ${own}.`;
  const base = STYLES[style][language]({ count, own });
  return `${base}${focus}${languageRequest(wanted, language)}`;
}
