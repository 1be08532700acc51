/** What of a chat is sent to the model. */

import type { ChatTurn } from '../../contract/engine.ts';
import type { Message } from '../../contract/messages.ts';

/** A question and its answer. */
export interface Exchange {
  question: string;
  answer: string;
}

/**
 * The exchanges before the answer `answerId`, oldest first, and its own question. Exchanges whose answer has no text
 * (failed, stopped at once, still waiting) are left out: templates want the roles to alternate.
 */
export function historyOf(messages: readonly Message[], answerId: string): { past: Exchange[]; question: string } {
  const past: Exchange[] = [];
  let question = '';
  for (const message of messages) {
    if (message.id === answerId) break;
    if (message.role === 'user') question = message.text;
    else if (message.role === 'assistant' && message.text !== '') past.push({ question, answer: message.text });
  }
  return { past, question };
}

/** The system prompt, if any, the exchanges after the first `dropped`, and the question. */
export function turnsOf(
  systemPrompt: string,
  past: readonly Exchange[],
  dropped: number,
  question: string,
): ChatTurn[] {
  return [
    ...(systemPrompt.trim() === '' ? [] : [{ role: 'system' as const, content: systemPrompt }]),
    ...past.slice(dropped).flatMap((exchange) => [
      { role: 'user' as const, content: exchange.question },
      { role: 'assistant' as const, content: exchange.answer },
    ]),
    { role: 'user', content: question },
  ];
}

/**
 * How many exchanges to drop after `dropped` were too few, or undefined when none is left to drop. A quarter at a
 * time: the prompt then keeps its beginning, and with it the KV cache, for some questions to come.
 */
export function dropMore(past: readonly Exchange[], dropped: number): number | undefined {
  const left = past.length - dropped;
  return left <= 0 ? undefined : dropped + Math.ceil(left / 4);
}
