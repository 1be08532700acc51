/**
 * Prompts for summaries, version 1. The text comes first and the request last: small models forget what stands far before
 * the end, and another request about the same text finds it in the KV cache. Short requests, no examples: the default model
 * of 135 million weights copies examples into its answer.
 */
import type { ChatTurn } from '../../../contract/engine.ts';
import type { SummaryLength, SummaryOptions } from '../../../contract/summaries.ts';
import { languageRequest, type PromptLanguage } from './language.ts';

export const SUMMARY_PROMPTS_VERSION = 1;

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
  const base =
    language === 'zh'
      ? {
          brief: `用${count}句话概括上文。`,
          'key-points': `列出上文最重要的${count}个要点，每行一个，以“- ”开头，保留人名、数字和日期。`,
          structured: `列出上文最重要的${count}个要点，每行一个，以“- ”开头，保留人名、数字和日期。`,
          'action-items': '列出上文提到的所有任务、决定和期限，每行一个，以“- ”开头。如果没有，只回答“无”。',
          child: `用${count}句简短的话把上文讲给十岁的孩子听。`,
          custom: own,
        }[style]
      : {
          brief: `Summarise the text above in ${count} sentences.`,
          'key-points': `List the ${count} most important points of the text above, one per line, each starting with "- ". Keep names, numbers and dates.`,
          structured: `List the ${count} most important points of the text above, one per line, each starting with "- ". Keep names, numbers and dates.`,
          'action-items':
            'List every task, decision and deadline in the text above, one per line, each starting with "- ". If there are none, answer only "None".',
          child: `Explain the text above to a ten-year-old in ${count} short sentences.`,
          custom: own,
        }[style];
  return `${base}${focus}${languageRequest(wanted, language)}`;
}
