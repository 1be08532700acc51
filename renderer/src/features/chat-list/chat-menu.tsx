/** What can be done with a chat, as the entries of its menu. */
import type { Chat, Folder } from '../../../../contract/chats.ts';
import type { Commands } from '../../store/commands.ts';
import { strings } from '../../strings.ts';
import { FolderIcon, PencilIcon, PinIcon, TrashIcon } from '../../ui/icons.tsx';
import type { MenuEntry } from '../../ui/menu.tsx';

export function chatEntries(
  chat: Chat,
  folders: readonly Folder[],
  commands: Commands,
  rename: () => void,
): readonly MenuEntry[] {
  const words = strings.chats;
  return [
    {
      label: chat.pinned ? words.unpin : words.pin,
      icon: <PinIcon size={16} />,
      onSelect: () => void commands.pinChat(chat.id, !chat.pinned),
    },
    { label: words.rename, icon: <PencilIcon size={16} />, shortcut: 'F2', onSelect: rename },
    'separator',
    ...folders.map(
      (folder): MenuEntry => ({
        label: words.moveTo(folder.name),
        icon: <FolderIcon size={16} />,
        checked: folder.id === chat.folderId,
        onSelect: () => void commands.moveChat(chat.id, folder.id === chat.folderId ? null : folder.id),
      }),
    ),
    {
      label: words.moveToNew,
      icon: <FolderIcon size={16} />,
      onSelect: () => void commands.moveToNewFolder(chat.id),
    },
    'separator',
    { label: words.exportMarkdown, onSelect: () => void commands.exportChats([chat.id], 'markdown') },
    { label: words.exportJson, onSelect: () => void commands.exportChats([chat.id], 'json') },
    'separator',
    {
      label: words.remove,
      icon: <TrashIcon size={16} />,
      shortcut: 'Delete',
      danger: true,
      onSelect: () => void commands.removeChats([chat]),
    },
  ];
}
