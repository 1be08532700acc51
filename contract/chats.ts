/** Chats: the list with its folders, titles, deleting and bringing back, search. */
import * as v from 'valibot';
import { id, nothing, time } from './fields.ts';
import { Phrase } from './phrase.ts';
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
  /** Stays on top of the list. */
  pinned: v.boolean(),
  folderId: v.optional(id),
  /** When it was deleted; it can be brought back for a while. */
  removedAt: v.optional(time),
});
export type Chat = v.InferOutput<typeof Chat>;

export const Folder = v.object({ id, name: v.string() });
export type Folder = v.InferOutput<typeof Folder>;

/** A piece of a text around what was looked for; `hit` marks the words themselves. */
export const Excerpt = v.array(v.object({ text: v.string(), hit: v.boolean() }));
export type Excerpt = v.InferOutput<typeof Excerpt>;

export const SearchHit = v.object({
  chatId: id,
  /** The newest message with most of the words, and a piece of it; absent where only the title has them. */
  message: v.optional(v.object({ id, excerpt: Excerpt })),
});
export type SearchHit = v.InferOutput<typeof SearchHit>;

export const ExportFormat = v.picklist(['json', 'markdown']);
export type ExportFormat = v.InferOutput<typeof ExportFormat>;

/** What an import brought. */
export const ImportSummary = v.object({
  chats: v.number(),
  messages: v.number(),
  /** Chats that are here already, word for word. */
  known: v.number(),
  /** Entries of the file that could not be read, each with the reason. */
  skipped: v.array(v.object({ title: v.string(), reason: Phrase })),
});
export type ImportSummary = v.InferOutput<typeof ImportSummary>;

const ids = v.pipe(v.array(id), v.minLength(1), v.maxLength(100_000));
const name = v.pipe(v.string(), v.trim(), v.minLength(1), v.maxLength(200));

export const chatChannels = {
  /** What a list shows first: pinned ones, the newest, and the one that is asked for. Not all; `chats.page` brings them. */
  'chats.newest': { request: v.object({ withId: v.nullable(id) }), response: v.array(Chat) },
  /** All that are not deleted, in pages, each beginning after the last id of the one before; the last one is empty. */
  'chats.page': { request: v.object({ after: v.nullable(id) }), response: v.array(Chat) },
  /** In a folder, or in none (null). */
  'chats.create': { request: v.object({ folderId: v.nullable(id) }), response: Chat },
  /** Changes what is given; `folderId` null takes it out of its folder. */
  'chats.change': {
    request: v.object({
      chatId: id,
      title: v.optional(name),
      pinned: v.optional(v.boolean()),
      folderId: v.optional(v.nullable(id)),
    }),
    response: Chat,
  },
  /** Replaces the chat's options as a whole; counts from the next question on. */
  'chats.options': { request: v.object({ chatId: id, options: ChatOptions }), response: Chat },
  /** Deletes them so that `chats.restore` brings them back; 30 days later they are gone. */
  'chats.remove': { request: v.object({ chatIds: ids }), response: nothing },
  'chats.restore': { request: v.object({ chatIds: ids }), response: nothing },
  /** Deleted chats that can still be brought back, the last one first. */
  'chats.removed': { request: nothing, response: v.array(Chat) },
  /** Deletes them for good. */
  'chats.erase': { request: v.object({ chatIds: ids }), response: nothing },
  /** Chats in which every word occurs, in the title or a message; newest change first, not more than 200. */
  'chats.search': {
    request: v.object({ query: v.pipe(v.string(), v.maxLength(200)) }),
    response: v.object({ hits: v.array(SearchHit), more: v.boolean() }),
  },
  /** Asks where to, and writes; null are all chats. Answers with the file's name, or null where the user thought better of it. */
  'chats.export': {
    request: v.object({ chatIds: v.nullable(ids), format: ExportFormat }),
    response: v.nullable(v.string()),
  },
  /** Asks for files of ours and takes their chats in; null where the user thought better of it. */
  'chats.import': { request: nothing, response: v.nullable(ImportSummary) },
  'folders.list': { request: nothing, response: v.array(Folder) },
  'folders.create': { request: v.object({ name }), response: Folder },
  'folders.rename': { request: v.object({ folderId: id, name }), response: Folder },
  /** Its chats stay, outside of any folder. */
  'folders.remove': { request: v.object({ folderId: id }), response: nothing },
} as const;

export const chatEvents = [
  /** It is new, changed or was brought back. */
  v.object({ type: v.literal('chat'), chat: Chat }),
  v.object({ type: v.literal('chats-removed'), chatIds: v.array(id) }),
  /** So many changed that the list should be read again. */
  v.object({ type: v.literal('chats-changed') }),
  v.object({ type: v.literal('folders'), folders: v.array(Folder) }),
] as const;
