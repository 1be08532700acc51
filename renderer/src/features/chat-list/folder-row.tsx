/** The heading of a folder: opens and closes it, takes chats that are dropped on it, and has its menu. */
import { useRef, useState } from 'react';
import type { Folder } from '../../../../contract/chats.ts';
import { useCommands } from '../../store/context.ts';
import { strings } from '../../strings.ts';
import { ChevronIcon, MoreIcon, PencilIcon, PlusIcon, TrashIcon } from '../../ui/icons.tsx';
import { MenuButton } from '../../ui/menu.tsx';
import { focusComposer } from '../frame/focus.ts';
import { setFolderClosed } from './closed-folders.ts';
import { useChatDrop } from './drag.ts';
import { TitleField } from './title-field.tsx';

interface FolderRowProps {
  readonly folder: Folder;
  readonly open: boolean;
  readonly count: number;
  /** Whether Tab stops here. */
  readonly tabStop: boolean;
}

export function FolderRow({ folder, open, count, tabStop }: FolderRowProps) {
  const commands = useCommands();
  const [renaming, setRenaming] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const { over, handlers } = useChatDrop((chatId) => void commands.moveChat(chatId, folder.id));
  const tabIndex = tabStop ? 0 : -1;
  const words = strings.chats;
  if (renaming) {
    return (
      <div className="folder-row">
        <TitleField
          label={words.folderName}
          title={folder.name}
          onDone={(name, refocus) => {
            if (name !== folder.name) void commands.renameFolder(folder.id, name);
            setRenaming(false);
            if (refocus) setTimeout(() => button.current?.focus());
          }}
          onCancel={() => {
            setRenaming(false);
            setTimeout(() => button.current?.focus());
          }}
        />
      </div>
    );
  }
  return (
    <div className={`folder-row${over ? ' is-over' : ''}`} data-testid="folder-row" {...handlers}>
      <button
        ref={button}
        type="button"
        className="chat-open folder-open"
        tabIndex={tabIndex}
        aria-expanded={open}
        onClick={() => setFolderClosed(folder.id, open)}
        onKeyDown={(event) => {
          if (event.key === 'F2') setRenaming(true);
          else if (event.key === 'ArrowLeft' && open) setFolderClosed(folder.id, true);
          else if (event.key === 'ArrowRight' && !open) setFolderClosed(folder.id, false);
        }}
      >
        <span className={`folder-chevron${open ? ' is-open' : ''}`}>
          <ChevronIcon size={14} />
        </span>
        <span className="chat-title" dir="auto">
          {folder.name}
        </span>
        <span className="folder-count">{count}</span>
      </button>
      <span className="chat-tools">
        <MenuButton
          label={words.menuOf(folder.name)}
          tabIndex={tabIndex}
          entries={[
            {
              label: words.newChatHere,
              icon: <PlusIcon size={16} />,
              onSelect: () => {
                void commands.newChatIn(folder.id);
                focusComposer();
              },
            },
            { label: words.rename, icon: <PencilIcon size={16} />, shortcut: 'F2', onSelect: () => setRenaming(true) },
            'separator',
            {
              label: words.removeFolder,
              icon: <TrashIcon size={16} />,
              danger: true,
              onSelect: () => void commands.removeFolder(folder.id),
            },
          ]}
        >
          <MoreIcon size={16} />
        </MenuButton>
      </span>
    </div>
  );
}
