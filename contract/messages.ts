/** Questions and answers of a chat, and how an answer grows. */
import * as v from 'valibot';
import { ChatRole, GenerateResult } from './engine.ts';
import { ErrorInfo } from './errors.ts';
import { id, nothing, time } from './fields.ts';

export const MessageState = v.picklist(['streaming', 'complete', 'stopped', 'failed']);
export type MessageState = v.InferOutput<typeof MessageState>;

export const Message = v.object({
  id,
  chatId: id,
  role: ChatRole,
  text: v.string(),
  state: MessageState,
  createdAt: time,
  /** Figures of the answer, once it has ended. */
  result: v.optional(v.omit(GenerateResult, ['text', 'tokenIds'])),
  error: v.optional(ErrorInfo),
  /** How many earlier messages of the chat did not fit the model's context and were not sent along. */
  omitted: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1))),
});
export type Message = v.InferOutput<typeof Message>;

export const messageChannels = {
  'messages.list': { request: v.object({ chatId: id }), response: v.array(Message) },
  /** Stores the question and an empty answer, starts generating, returns both at once. Text follows as events. */
  'messages.send': {
    request: v.object({ chatId: id, text: v.pipe(v.string(), v.minLength(1), v.maxLength(4_000_000)) }),
    response: v.object({ question: Message, answer: Message }),
  },
  'messages.stop': { request: v.object({ messageId: id }), response: nothing },
} as const;

export const messageEvents = [
  v.object({
    type: v.literal('prefill'),
    chatId: id,
    messageId: id,
    done: v.number(),
    total: v.number(),
    tokensPerSecond: v.number(),
  }),
  /** `offset` is the length of the text before `delta`: a window that joins late or misses one reloads the message. */
  v.object({
    type: v.literal('delta'),
    chatId: id,
    messageId: id,
    offset: v.number(),
    delta: v.string(),
    tokensPerSecond: v.number(),
  }),
  /** The stored message changed as a whole: it ended, was stopped or failed. */
  v.object({ type: v.literal('message'), message: Message }),
] as const;
