/**
 * Questions and answers of a chat, and how an answer grows.
 *
 * Messages form a tree: a question may be asked in several versions, and a question may have several answers. The chat
 * remembers one leaf; what is shown and sent to the model is the path from the root to it.
 */
import * as v from 'valibot';
import { Attachment } from './drafts.ts';
import { ChatRole, GenerateResult } from './engine.ts';
import { ErrorInfo } from './errors.ts';
import { count, id, nothing, time } from './fields.ts';

export const MessageState = v.picklist(['streaming', 'complete', 'stopped', 'failed']);
export type MessageState = v.InferOutput<typeof MessageState>;

/**
 * Ways on for a question that does not fit: without the oldest exchanges (from now on, in this chat), with a note by the
 * model in their place, or in a new chat that begins with such a note.
 */
export const LimitChoice = v.picklist(['drop-oldest', 'condense', 'new-chat']);
export type LimitChoice = v.InferOutput<typeof LimitChoice>;

/** In tokens: what the prompt has, what there is room for beside an answer, and which choices help; none where the question alone is too long. */
export const ContextLimit = v.object({ needed: count, available: count, choices: v.array(LimitChoice) });
export type ContextLimit = v.InferOutput<typeof ContextLimit>;

export const Message = v.object({
  id,
  chatId: id,
  /** The message before it; null at the beginning of a chat. */
  parentId: v.nullable(id),
  role: ChatRole,
  text: v.string(),
  state: MessageState,
  createdAt: time,
  /** All messages with the same parent, oldest first, itself among them; absent where it is alone. */
  siblings: v.optional(v.array(id)),
  /** Of a question. */
  attachments: v.optional(v.array(Attachment)),
  /** Figures of the answer, once it has ended. */
  result: v.optional(v.omit(GenerateResult, ['text', 'tokenIds'])),
  error: v.optional(ErrorInfo),
  /** With an error of kind 'context-overflow': what messages.resolve can do. */
  limit: v.optional(ContextLimit),
  /** How many earlier messages of the path did not fit the model's context and were not sent along. */
  omitted: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1))),
  /**
   * For the model this text stands in the place of this message and all before it. A chat that goes on from another one has
   * its note as an answer without a question, which comes first.
   */
  note: v.optional(v.string()),
});
export type Message = v.InferOutput<typeof Message>;

const QuestionText = v.pipe(v.string(), v.maxLength(4_000_000));
const attachmentIds = v.optional(v.pipe(v.array(id), v.maxLength(50)));

/** Tokens of what a question would send, by part; `reserve` is kept for the answer. */
export const ContextUse = v.object({
  /** System prompt and what the model's template adds. */
  system: count,
  /** The path before the question, notes included, without what would be left out. */
  history: count,
  draft: count,
  attachments: count,
  reserve: count,
  contextSize: count,
  fits: v.boolean(),
  /** Messages that 'drop-oldest' would leave out, where that is what happens. */
  omitted: v.optional(count),
});
export type ContextUse = v.InferOutput<typeof ContextUse>;

export const messageChannels = {
  /** The shown path, first message first. */
  'messages.list': { request: v.object({ chatId: id }), response: v.array(Message) },
  /**
   * Stores the question and an empty answer, starts generating, returns both at once. Text follows as events. `after` is
   * the message before the question: absent, the path's end; another one (null: the beginning) starts a branch, as when a
   * question is edited. Text or attachments must be there. The chat's draft is emptied unless `after` is given; that of the
   * chat that did not exist yet is the window's to empty.
   */
  'messages.send': {
    request: v.object({
      chatId: id,
      text: QuestionText,
      attachments: attachmentIds,
      after: v.optional(v.nullable(id)),
    }),
    response: v.object({ question: Message, answer: Message }),
  },
  /** Another answer to the question of this answer, as its sibling. One that still streams is stopped first. */
  'messages.regenerate': { request: v.object({ messageId: id }), response: v.object({ answer: Message }) },
  /** A stopped or failed answer with text, or one cut by length, goes on in the same message. It must be its path's end. */
  'messages.continue': { request: v.object({ messageId: id }), response: v.object({ answer: Message }) },
  /** Shows the branch of this message, at its newest end. Answers with the path. */
  'messages.select': { request: v.object({ messageId: id }), response: v.array(Message) },
  'messages.stop': { request: v.object({ messageId: id }), response: nothing },
  /** Tries an answer that has a `limit` again, in the given way. `chatId` is the new chat's for 'new-chat'. */
  'messages.resolve': {
    request: v.object({ messageId: id, choice: LimitChoice }),
    response: v.object({ chatId: id, answer: Message }),
  },
  /**
   * What a question would take of the context; null where no model is loaded. The chat may be null (not there yet); `after`
   * as in messages.send.
   * Cheap enough for a pause in typing, not for every key. Counts are exact but for a few tokens at the seams.
   */
  'messages.measure': {
    request: v.object({
      chatId: v.nullable(id),
      text: QuestionText,
      attachments: attachmentIds,
      after: v.optional(v.nullable(id)),
    }),
    response: v.nullable(ContextUse),
  },
} as const;
export type MessageChannel = keyof typeof messageChannels;

export const messageEvents = [
  v.object({
    type: v.literal('prefill'),
    chatId: id,
    messageId: id,
    /** 'note': the model reads the chat to condense it; the prompt of the answer follows. */
    purpose: v.picklist(['answer', 'note']),
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
  /** The stored message changed as a whole: it ended, was stopped or failed, goes on, or has a note now. */
  v.object({ type: v.literal('message'), message: Message }),
  /** The chat shows another path or a longer one; a window whose path ends in `leafId` has it already. */
  v.object({ type: v.literal('branch'), chatId: id, leafId: v.nullable(id) }),
] as const;
