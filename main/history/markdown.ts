/** Chats as Markdown for people to read: what is shown in the window, without the branches beside it. */
import type { FileChat } from './file-format.ts';

/** The file for one chat or many, in pieces. */
export function* markdownOf(chats: Iterable<FileChat>): Generator<string> {
  let first = true;
  for (const chat of chats) {
    if (!first) yield '\n---\n\n';
    first = false;
    yield `# ${oneLine(chat.title)}\n\n${new Date(chat.createdAt).toISOString().slice(0, 10)}\n`;
    for (const { role, text, attachments, note, result } of shownPath(chat)) {
      if (note !== undefined) yield `\n> ${note.replaceAll('\n', '\n> ')}\n`;
      if (text === '' && attachments === undefined) continue;
      yield `\n## ${role === 'user' ? 'Question' : `Answer${result ? ` (${oneLine(result.model)})` : ''}`}\n\n`;
      for (const { name } of attachments ?? []) yield `Attached: ${oneLine(name)}\n\n`;
      yield `${text}\n`;
    }
  }
}

function shownPath({ leafId, messages }: FileChat): FileChat['messages'] {
  const byId = new Map(messages.map((message) => [message.id, message]));
  const path: FileChat['messages'] = [];
  for (let at = byId.get(leafId ?? ''); at !== undefined; at = byId.get(at.parentId ?? '')) path.unshift(at);
  return path;
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/gu, ' ').trim();
}
