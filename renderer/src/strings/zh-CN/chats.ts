/** The list of chats. */

import { formatCount } from '../../format.ts';

export const chats = {
  chats: {
    label: '对话',
    newChat: '新建对话',
    newChatHint: '新建对话 (Ctrl+N)',
    search: '搜索对话',
    searchHint: 'Ctrl+K',
    clearSearch: '清除搜索',
    untitled: '新对话',
    none: '您的对话会列在这里，只保存在这台电脑上。',
    noMatch: (query: string) => `没有对话包含“${query}”。`,
    rename: '重命名',
    renameLabel: (title: string) => `重命名“${title}”`,
    titleLabel: '对话标题',
    remove: '删除',
    removeLabel: (title: string) => `删除“${title}”`,
    removed: (chats: readonly { title: string }[]) =>
      chats.length === 1 ? `已删除“${chats[0]?.title ?? ''}”。` : `已删除 ${formatCount(chats.length)} 个对话。`,
    undo: '撤销',
    answering: '正在回答',
    showList: '显示对话列表',
    hideList: '隐藏对话列表',
    groups: { today: '今天', yesterday: '昨天', week: '最近 7 天', month: '最近 30 天', older: '更早' },
  },
};
