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
    renameLabel: (title: string) => `Rename “${title}”`,
    titleLabel: 'Chat title',
    remove: 'Delete',
    removeLabel: (title: string) => `Delete “${title}”`,
    removed: (chats: readonly { title: string }[]) =>
      chats.length === 1 ? `Deleted “${chats[0]?.title ?? ''}”.` : `Deleted ${formatCount(chats.length)} chats.`,
    undo: 'Undo',
    answering: 'Answering',
    showList: 'Show chats',
    hideList: 'Hide chats',
    groups: { today: 'Today', yesterday: 'Yesterday', week: 'Last 7 days', month: 'Last 30 days', older: 'Older' },
  },
};
