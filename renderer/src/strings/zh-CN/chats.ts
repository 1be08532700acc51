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
    titleLabel: '对话标题',
    remove: '删除',
    removed: (chats: readonly { title: string }[]) =>
      chats.length === 1 ? `已删除“${chats[0]?.title ?? ''}”。` : `已删除 ${formatCount(chats.length)} 个对话。`,
    pin: '置顶',
    unpin: '取消置顶',
    menu: '更多对话操作',
    menuOf: (title: string) => `“${title}”的更多操作`,
    moveTo: (folder: string) => `移到“${folder}”`,
    moveToNew: '移到新文件夹',
    newFolder: '新建文件夹',
    newFolderName: '新文件夹',
    folderName: '文件夹名称',
    newChatHere: '在此文件夹中新建对话',
    removeFolder: '删除文件夹，保留其中的对话',
    import: '导入对话',
    exportMarkdown: '导出为 Markdown',
    exportJson: '导出为 JSON',
    exportAllMarkdown: '将所有对话导出为 Markdown',
    exportAllJson: '将所有对话导出为 JSON',
    found: (count: number, more: boolean) =>
      more ? `最近的 ${formatCount(count)} 个相关对话` : `${formatCount(count)} 个对话`,
    bin: {
      title: '最近删除',
      help: '删除的对话会在这里保留 30 天。',
      none: '没有已删除的对话。',
      restore: '恢复',
      restoreLabel: (title: string) => `恢复“${title}”`,
      empty: '全部永久删除',
      emptyTitle: '要永久删除这些对话吗？',
      emptyText: (count: number) => `${formatCount(count)} 个对话及其全部消息将无法恢复。`,
    },
    exported: (file: string) => `已导出到“${file}”。`,
    imported: (chats: number, known: number) =>
      `已导入 ${formatCount(chats)} 个对话。${known > 0 ? `另有 ${formatCount(known)} 个原本就在。` : ''}`,
    leftOut: (title: string, reason: string) => `“${title}”未导入：${reason}。`,
    undo: '撤销',
    answering: '正在回答',
    showList: '显示对话列表',
    hideList: '隐藏对话列表',
    groups: { pinned: '置顶', today: '今天', yesterday: '昨天', week: '最近 7 天', month: '最近 30 天', older: '更早' },
  },
};
