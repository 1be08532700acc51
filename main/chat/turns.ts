/** What of a chat is sent to the model. */
import type { ChatTurn } from '../../contract/engine.ts';
import type { Message } from '../../contract/messages.ts';

/** A question and its answer. */
export interface Exchange {
  question: string;
  answer: string;
  /** The answer's message. */
  answerId: string;
}

/** The messages before a question, as the model is to see them. */
export interface Past {
  /** Stands in the place of what came before the exchanges. */
  note?: string;
  /** Oldest first. */
  exchanges: Exchange[];
}

/** What the model seems to have been asked for where a note stands in the place of messages. */
export const NOTE_QUESTION = 'Summarise our conversation so far.';

/**
 * The exchanges of a path, from its last note on. Those whose answer has no text (failed, stopped at once, still waiting)
 * are left out: templates want the roles to alternate. `textOf` gives a question's text with what is attached to it.
 */
export function pastOf(path: readonly Message[], textOf: (question: Message) => string): Past {
  let past: Past = { exchanges: [] };
  let question: Message | undefined;
  for (const message of path) {
    if (message.role === 'user') question = message;
    if (message.role !== 'assistant') continue;
    if (message.note !== undefined) past = { note: message.note, exchanges: [] };
    else if (message.text !== '') {
      // An answer without a question begins a chat with the note of another one.
      const asked = question === undefined ? NOTE_QUESTION : textOf(question);
      past.exchanges.push({ question: asked, answer: message.text, answerId: message.id });
    }
    question = undefined;
  }
  return past;
}

/** The system prompt, if any, the note, if any, and the exchanges after the first `dropped`. */
export function pastTurns(systemPrompt: string, { note, exchanges }: Past, dropped = 0): ChatTurn[] {
  return [
    ...(systemPrompt.trim() === '' ? [] : [{ role: 'system' as const, content: systemPrompt }]),
    ...(note === undefined ? [] : exchangeTurns({ question: NOTE_QUESTION, answer: note })),
    ...exchanges.slice(dropped).flatMap(exchangeTurns),
  ];
}

function exchangeTurns({ question, answer }: Pick<Exchange, 'question' | 'answer'>): ChatTurn[] {
  return [
    { role: 'user', content: question },
    { role: 'assistant', content: answer },
  ];
}

/**
 * How many exchanges to drop after `dropped` were too few, or undefined when none is left to drop. A quarter at a
 * time: the prompt then keeps its beginning, and with it the KV cache, for some questions to come.
 */
export function dropMore(exchanges: readonly Exchange[], dropped: number): number | undefined {
  const left = exchanges.length - dropped;
  return left <= 0 ? undefined : dropped + Math.ceil(left / 4);
}

/**
 * A question with its files before it, each in a fence that is longer than any in its text, so that nothing in a file can
 * end it. Control tokens in a file are plain text anyway: the tokenizer sees to that.
 */
export function withFiles(question: string, files: readonly { name: string; text: string }[]): string {
  const blocks = files.map(({ name, text }) => {
    const longest = Math.max(2, ...Array.from(text.matchAll(/`+/g), ([run]) => run.length));
    const fence = '`'.repeat(longest + 1);
    const line = name.replaceAll(/[\p{Cc}"]+/gu, ' ');
    return `File "${line}":\n${fence}\n${text.trim()}\n${fence}`;
  });
  return [...blocks, ...(question === '' ? [] : [question])].join('\n\n');
}
