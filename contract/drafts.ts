/** Questions that are not sent yet: text and attached files, for each chat and for the one that does not exist yet. */
import * as v from 'valibot';
import { ErrorInfo } from './errors.ts';
import { count, id, nothing } from './fields.ts';

/** Null: the chat that does not exist yet. */
const draftOf = v.nullable(id);
const DraftText = v.pipe(v.string(), v.maxLength(4_000_000));

export const Attachment = v.object({
  id,
  /** The file's name, without its folder. */
  name: v.string(),
  bytes: count,
  state: v.picklist(['reading', 'ready', 'failed']),
  /** How far reading is, where the file tells. */
  progress: v.optional(v.object({ done: count, total: count })),
  /** What its text takes of the loaded model's context. Absent until it was read, and while no model is loaded. */
  tokens: v.optional(count),
  /** Why it failed; or, of one that is ready, what could not be read of it (`message` only). */
  error: v.optional(ErrorInfo),
});
export type Attachment = v.InferOutput<typeof Attachment>;

export const Draft = v.object({ chatId: draftOf, text: v.string(), attachments: v.array(Attachment) });
export type Draft = v.InferOutput<typeof Draft>;

export const draftChannels = {
  /** All that are not empty. */
  'drafts.list': { request: nothing, response: v.array(Draft) },
  /** `by` is any id that the window has given itself: the event repeats it. */
  'drafts.set': { request: v.object({ chatId: draftOf, text: DraftText, by: id }), response: nothing },
  /** Main opens its dialog for files. Answers with the draft's attachments; reading goes on. Nothing chosen: no change. */
  'attachments.add': { request: v.object({ chatId: draftOf }), response: v.array(Attachment) },
  /** Files that were dropped or pasted. Only the preload script may ask this (`Bridge.attach`): it knows the real paths. */
  'attachments.drop': {
    request: v.object({ chatId: draftOf, paths: v.pipe(v.array(v.pipe(v.string(), v.minLength(1))), v.maxLength(50)) }),
    response: v.array(Attachment),
  },
  /** Reads a failed one again, with a password where the error was 'password-needed' or 'password-wrong'. */
  'attachments.retry': {
    request: v.object({ attachmentId: id, password: v.optional(v.pipe(v.string(), v.maxLength(1000))) }),
    response: nothing,
  },
  /** Of a draft only. Removing what is gone is no error. */
  'attachments.remove': { request: v.object({ attachmentId: id }), response: nothing },
} as const;
export type DraftChannel = keyof typeof draftChannels;

export const draftEvents = [
  /** The text of a draft changed; the window whose `by` it is has it already. Absent: main did it, as in sending. */
  v.object({ type: v.literal('draft'), chatId: draftOf, text: v.string(), by: v.optional(id) }),
  /** The attachments of a draft, or how they stand, changed. */
  v.object({ type: v.literal('attachments'), chatId: draftOf, attachments: v.array(Attachment) }),
] as const;
