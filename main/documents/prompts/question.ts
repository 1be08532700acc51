/** Prompts for questions about documents, version 1. The passages come first: asked again, they are in the KV cache. */
import type { ChatTurn } from '../../../contract/engine.ts';
import type { PromptLanguage } from './language.ts';

export const QUESTION_PROMPTS_VERSION = 1;

export interface QuotedSection {
  readonly name: string;
  readonly text: string;
}

export function questionPrompt(
  sections: readonly QuotedSection[],
  question: string,
  language: PromptLanguage,
): ChatTurn[] {
  const quoted = sections.map(({ name, text }) => `[${name}]\n${text}`).join('\n\n');
  const request =
    language === 'zh'
      ? `只根据以上内容回答下面的问题。如果内容中没有答案，请直说没有。\n问题：${question}`
      : `Answer the question from the text above only. If the text does not say, answer that it does not.\nQuestion: ${question}`;
  return [
    {
      role: 'system',
      content: language === 'zh' ? '你根据给出的文件回答问题。' : 'You answer questions about documents.',
    },
    { role: 'user', content: `${quoted}\n\n---\n${request}` },
  ];
}
