/** One chat in the list: opens it, and has its menu. */
import { type MouseEvent, memo, useRef, useState } from 'react';
import type { Chat, Excerpt, SearchHit } from '../../../../contract/chats.ts';
import { useAppState, useCommands } from '../../store/context.ts';
import { streamingMessage } from '../../store/state.ts';
import { strings } from '../../strings.ts';
import { MoreIcon } from '../../ui/icons.tsx';
import { Menu, type MenuAnchor, MenuButton } from '../../ui/menu.tsx';
import { chatEntries } from './chat-menu.tsx';
import { CHAT_DRAG } from './drag.ts';
import { TitleField } from './title-field.tsx';

interface ItemProps {
  readonly chat: Chat;
  readonly active: boolean;
  readonly inFolder: boolean;
  /** Whether Tab stops here. */
  readonly tabStop: boolean;
  /** Where a search found it: opening leads there. */
  readonly hit?: SearchHit;
}

export const ChatListItem = memo(function ChatListItem({ chat, active, inFolder, tabStop, hit }: ItemProps) {
  const commands = useCommands();
  const folders = useAppState((state) => state.folders);
  const [renaming, setRenaming] = useState(false);
  const [menuAt, setMenuAt] = useState<MenuAnchor>();
  const open = useRef<HTMLButtonElement>(null);
  const answering = useAppState((state) => streamingMessage(state, chat.id) !== undefined);
  const title = chat.title || strings.chats.untitled;
  const tabIndex = tabStop ? 0 : -1;
  const entries = () => chatEntries(chat, folders, commands, () => setRenaming(true));

  function onContextMenu(event: MouseEvent): void {
    event.preventDefault();
    open.current?.focus();
    // The menu key has no place of its own.
    const byKey = event.clientX === 0 && event.clientY === 0;
    setMenuAt(
      byKey && open.current !== null
        ? { below: open.current.getBoundingClientRect() }
        : { x: event.clientX, y: event.clientY },
    );
  }

  if (renaming) {
    return (
      <div className="chat-item">
        <TitleField
          label={strings.chats.titleLabel}
          title={title}
          onDone={(next, refocus) => {
            if (next !== title) void commands.renameChat(chat.id, next);
            setRenaming(false);
            if (refocus) setTimeout(() => open.current?.focus());
          }}
          onCancel={() => {
            setRenaming(false);
            setTimeout(() => open.current?.focus());
          }}
        />
      </div>
    );
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the menu of a right click is there for the keyboard as a button too
    <div
      className={`chat-item${active ? ' is-active' : ''}${inFolder ? ' is-in-folder' : ''}${hit ? ' is-hit' : ''}`}
      data-testid="chat-list-item"
      draggable
      onDragStart={(event) => event.dataTransfer.setData(CHAT_DRAG, chat.id)}
      onContextMenu={onContextMenu}
    >
      <button
        ref={open}
        type="button"
        className="chat-open"
        tabIndex={tabIndex}
        title={title}
        aria-current={active ? 'true' : undefined}
        onClick={() => void (hit?.message ? commands.openHit(chat.id, hit.message.id) : commands.openChat(chat.id))}
        onDoubleClick={() => setRenaming(true)}
        onKeyDown={(event) => {
          if (event.key === 'F2') setRenaming(true);
          else if (event.key === 'Delete') void commands.removeChats([chat]);
        }}
      >
        <span className="chat-title" dir="auto">
          {title}
        </span>
        {hit?.message !== undefined && <HitExcerpt excerpt={hit.message.excerpt} />}
        {answering && <span className="chat-answering" role="img" aria-label={strings.chats.answering} />}
      </button>
      <span className="chat-tools">
        <MenuButton label={strings.chats.menuOf(title)} entries={entries()} tabIndex={tabIndex}>
          <MoreIcon size={16} />
        </MenuButton>
      </span>
      {menuAt !== undefined && (
        <Menu
          label={strings.chats.menuOf(title)}
          entries={entries()}
          anchor={menuAt}
          onClose={() => setMenuAt(undefined)}
        />
      )}
    </div>
  );
});

function HitExcerpt({ excerpt }: { excerpt: Excerpt }) {
  return (
    <span className="chat-excerpt" dir="auto">
      {excerpt.map(({ text, hit }, index) =>
        // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text have nothing but their order
        hit ? <mark key={index}>{text}</mark> : text,
      )}
    </span>
  );
}
