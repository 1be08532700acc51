/** Chats: the list, titles, search. */
import * as v from 'valibot';
import { id, nothing, time } from './fields.ts';
import { ChatOptions } from './presets.ts';

export const Chat = v.object({
  id,
  title: v.string(),
  createdAt: time,
  updatedAt: time,
  /** The model wrote the title; renaming ends that. */
  autoTitled: v.optional(v.boolean()),
  /** Absent: presets and settings alone. */
  options: v.optional(ChatOptions),
});
export type Chat = v.InferOutput<typeof Chat>;

export const chatChannels = {
  'chats.list': { request: nothing, response: v.array(Chat) },
  'chats.create': { request: nothing, response: Chat },
  'chats.rename': {
    request: v.object({ chatId: id, title: v.pipe(v.string(), v.minLength(1), v.maxLength(200)) }),
    response: Chat,
  },
  'chats.remove': { request: v.object({ chatId: id }), response: nothing },
  /** Replaces the chat's options as a whole; counts from the next question on. */
  'chats.options': { request: v.object({ chatId: id, options: ChatOptions }), response: Chat },
  'chats.search': { request: v.object({ query: v.pipe(v.string(), v.maxLength(200)) }), response: v.array(Chat) },
} as const;

export const chatEvents = [v.object({ type: v.literal('chat'), chat: Chat })] as const;
