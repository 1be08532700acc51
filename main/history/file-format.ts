/**
 * The file that chats are exported to: one JSON object, written so that each chat is a line of its own. It is read line by
 * line, which takes little memory, and a line that is damaged or cut off costs its own chat only.
 */
import * as v from 'valibot';
import { id } from '../../contract/fields.ts';
import { Message } from '../../contract/messages.ts';
import { type Phrase, said } from '../../contract/phrase.ts';
import { ChatOptions } from '../../contract/presets.ts';

export const FORMAT = 'shadownpu-chats';
/** Raised when files of this version could not be read by earlier ones any more. */
export const VERSION = 1;

const time = v.pipe(v.number(), v.minValue(0), v.maxValue(8.64e15));

/** A file that was attached to a question; `text` is what was read from it. */
const FileAttachment = v.object({ name: v.string(), bytes: v.number(), text: v.string() });

/** Figures of answers may be of another version: what does not fit is left out, the text stays. */
const FileMessage = v.object({
  id,
  parentId: v.nullable(id),
  role: Message.entries.role,
  text: v.string(),
  state: v.picklist(['complete', 'stopped', 'failed']),
  createdAt: time,
  attachments: v.optional(v.array(FileAttachment)),
  note: v.optional(v.string()),
  omitted: v.fallback(Message.entries.omitted, undefined),
  result: v.fallback(Message.entries.result, undefined),
  error: v.fallback(Message.entries.error, undefined),
});
export type FileMessage = v.InferOutput<typeof FileMessage>;

export const FileChat = v.object({
  title: v.pipe(v.string(), v.maxLength(1000)),
  createdAt: time,
  updatedAt: time,
  pinned: v.fallback(v.boolean(), false),
  /** The folder's name. */
  folder: v.optional(v.pipe(v.string(), v.maxLength(200))),
  options: v.fallback(v.optional(ChatOptions), undefined),
  /** The message that the shown path ends in. */
  leafId: v.nullable(id),
  /** All branches, parents before their children. */
  messages: v.array(FileMessage),
});
export type FileChat = v.InferOutput<typeof FileChat>;

/** The lines of a whole file. */
export function* fileLines(chats: Iterable<FileChat>): Generator<string> {
  yield `{"format":"${FORMAT}","version":${VERSION},"chats":[\n`;
  let first = true;
  for (const chat of chats) {
    yield `${first ? '' : ',\n'}${JSON.stringify(chat)}`;
    first = false;
  }
  yield '\n]}\n';
}

/** The version of a file of ours by its first line; undefined for any other file. */
export function versionOf(firstLine: string): number | undefined {
  const match = /^\uFEFF?\{"format":"shadownpu-chats","version":(\d{1,9}),"chats":\[\s*$/.exec(firstLine);
  return match === null ? undefined : Number(match[1]);
}

/** A chat's line, or the reason why it is none. */
export function parseChatLine(line: string): FileChat | { title: string; reason: Phrase } {
  let value: unknown;
  try {
    value = JSON.parse(line.replace(/,\s*$/, ''));
  } catch {
    return { title: titleIn(line), reason: said('its line in the file is damaged or cut off') };
  }
  const parsed = v.safeParse(FileChat, value);
  if (!parsed.success) return { title: titleIn(line), reason: said(v.summarize(parsed.issues).slice(0, 300)) };
  const known = new Set<string>();
  for (const { id: messageId, parentId } of parsed.output.messages) {
    if (parentId !== null && !known.has(parentId)) {
      return { title: parsed.output.title, reason: said('a message comes before the one that it follows') };
    }
    known.add(messageId);
  }
  return parsed.output;
}

/** The title, as far as it can be read. */
function titleIn(line: string): string {
  return /"title":"((?:[^"\\]|\\.){0,200})/.exec(line.slice(0, 2000))?.[1] ?? '?';
}
