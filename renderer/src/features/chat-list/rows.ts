/** What the list shows from top to bottom, as flat rows: pinned chats, folders with their chats, the others by date. */
import type { Chat, Folder, SearchHit } from '../../../../contract/chats.ts';
import { type DateGroup, groupByDate } from './group-by-date.ts';

export type Row =
  | { readonly kind: 'heading'; readonly key: string; readonly group: 'pinned' | DateGroup }
  | {
      readonly kind: 'folder';
      readonly key: string;
      readonly folder: Folder;
      readonly open: boolean;
      readonly count: number;
    }
  | { readonly kind: 'chat'; readonly key: string; readonly chat: Chat; readonly inFolder: boolean }
  | { readonly kind: 'hit'; readonly key: string; readonly chat: Chat; readonly hit: SearchHit };

/** Heights in CSS pixels; chat-list.css sets the same. */
export const ROW_HEIGHT: Readonly<Record<Row['kind'], number>> = { heading: 38, folder: 38, chat: 38, hit: 76 };

/** `chats` newest first; those of a folder in `closed` are not shown. Days begin at local midnight before `now`. */
export function rowsOf(
  chats: readonly Chat[],
  folders: readonly Folder[],
  closed: ReadonlySet<string>,
  now: number,
): readonly Row[] {
  const rows: Row[] = [];
  const add = (chat: Chat, inFolder = false) => rows.push({ kind: 'chat', key: chat.id, chat, inFolder });
  const pinned = chats.filter((chat) => chat.pinned);
  if (pinned.length > 0) rows.push({ kind: 'heading', key: 'pinned', group: 'pinned' });
  for (const chat of pinned) add(chat);

  const known = new Set(folders.map(({ id }) => id));
  const filed = new Map<string, Chat[]>();
  const loose: Chat[] = [];
  for (const chat of chats) {
    if (chat.pinned) continue;
    const { folderId } = chat;
    // The list of folders may come a moment later than a chat that was moved into a new one.
    if (folderId === undefined || !known.has(folderId)) loose.push(chat);
    else if (filed.get(folderId)?.push(chat) === undefined) filed.set(folderId, [chat]);
  }
  for (const folder of folders) {
    const members = filed.get(folder.id) ?? [];
    const open = !closed.has(folder.id);
    rows.push({ kind: 'folder', key: folder.id, folder, open, count: members.length });
    if (open) for (const chat of members) add(chat, true);
  }
  for (const { group, chats: members } of groupByDate(loose, now)) {
    rows.push({ kind: 'heading', key: group, group });
    for (const chat of members) add(chat);
  }
  return rows;
}

/** What a search found, in the order in which main told it. */
export function hitRows(hits: readonly SearchHit[], chats: readonly Chat[]): readonly Row[] {
  const byId = new Map(chats.map((chat) => [chat.id, chat]));
  return hits.flatMap((hit): Row[] => {
    const chat = byId.get(hit.chatId);
    return chat === undefined ? [] : [{ kind: 'hit', key: chat.id, chat, hit }];
  });
}
