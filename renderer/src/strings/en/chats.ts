/** The list of chats. */

import { formatCount } from '../../format.ts';

export const chats = {
  chats: {
    label: 'Chats',
    newChat: 'New chat',
    newChatHint: 'New chat (Ctrl+N)',
    search: 'Search chats',
    searchHint: 'Ctrl+K',
    clearSearch: 'Clear search',
    untitled: 'New chat',
    none: 'Your chats will be listed here. They stay on this computer.',
    noMatch: (query: string) => `No chat contains “${query}”.`,
    rename: 'Rename',
    titleLabel: 'Chat title',
    remove: 'Delete',
    removed: (chats: readonly { title: string }[]) =>
      chats.length === 1 ? `Deleted “${chats[0]?.title ?? ''}”.` : `Deleted ${formatCount(chats.length)} chats.`,
    pin: 'Pin',
    unpin: 'Unpin',
    menu: 'More about chats',
    menuOf: (title: string) => `More about “${title}”`,
    moveTo: (folder: string) => `Move to “${folder}”`,
    moveToNew: 'Move to a new folder',
    newFolder: 'New folder',
    newFolderName: 'New folder',
    folderName: 'Folder name',
    newChatHere: 'New chat in this folder',
    removeFolder: 'Delete folder, keep its chats',
    import: 'Import chats',
    exportMarkdown: 'Export as Markdown',
    exportJson: 'Export as JSON',
    exportAllMarkdown: 'Export all chats as Markdown',
    exportAllJson: 'Export all chats as JSON',
    found: (count: number, more: boolean) =>
      more ? `The ${formatCount(count)} newest chats with it` : count === 1 ? '1 chat' : `${formatCount(count)} chats`,
    bin: {
      title: 'Recently deleted',
      help: 'Deleted chats stay here for 30 days.',
      none: 'There are none.',
      restore: 'Bring back',
      restoreLabel: (title: string) => `Bring back “${title}”`,
      empty: 'Delete all for good',
      emptyTitle: 'Delete these chats for good?',
      emptyText: (count: number) =>
        `${formatCount(count)} chats and all of their messages cannot be brought back then.`,
    },
    exported: (file: string) => `Exported to “${file}”.`,
    imported: (chats: number, known: number) =>
      `Imported ${formatCount(chats)} chats.${known > 0 ? ` ${formatCount(known)} were here already.` : ''}`,
    leftOut: (title: string, reason: string) => `“${title}” was left out: ${reason}.`,
    undo: 'Undo',
    answering: 'Answering',
    showList: 'Show chats',
    hideList: 'Hide chats',
    groups: {
      pinned: 'Pinned',
      today: 'Today',
      yesterday: 'Yesterday',
      week: 'Last 7 days',
      month: 'Last 30 days',
      older: 'Older',
    },
  },
};
