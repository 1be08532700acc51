/** One chat in the list: opens it, renames it in place, deletes it. */
import { memo, useEffect, useRef, useState } from 'react';
import type { Chat } from '../../../../contract/chats.ts';
import { useAppState, useCommands } from '../../store/context.ts';
import { streamingMessage } from '../../store/state.ts';
import { strings } from '../../strings.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import { PencilIcon, TrashIcon } from '../../ui/icons.tsx';

interface ItemProps {
  readonly chat: Chat;
  readonly active: boolean;
  /** Whether Tab stops here. */
  readonly tabStop: boolean;
}

export const ChatListItem = memo(function ChatListItem({ chat, active, tabStop }: ItemProps) {
  const commands = useCommands();
  const [renaming, setRenaming] = useState(false);
  const open = useRef<HTMLButtonElement>(null);
  const answering = useAppState((state) => streamingMessage(state, chat.id) !== undefined);
  const title = chat.title || strings.chats.untitled;

  function endRename(refocus: boolean): void {
    setRenaming(false);
    if (refocus) setTimeout(() => open.current?.focus());
  }

  return (
    <li className={`chat-item${active ? ' is-active' : ''}`} data-testid="chat-list-item">
      {renaming ? (
        <TitleField
          title={title}
          onDone={(next, refocus) => {
            if (next !== title) void commands.renameChat(chat.id, next);
            endRename(refocus);
          }}
          onCancel={() => endRename(true)}
        />
      ) : (
        <>
          <button
            ref={open}
            type="button"
            className="chat-open"
            tabIndex={tabStop ? 0 : -1}
            title={title}
            aria-current={active ? 'true' : undefined}
            onClick={() => void commands.openChat(chat.id)}
            onDoubleClick={() => setRenaming(true)}
            onKeyDown={(event) => {
              if (event.key === 'F2') setRenaming(true);
              else if (event.key === 'Delete') void commands.removeChats([chat]);
            }}
          >
            <span className="chat-title">{title}</span>
            {answering && <span className="chat-answering" role="img" aria-label={strings.chats.answering} />}
          </button>
          <span className="chat-tools">
            <IconButton
              label={strings.chats.renameLabel(title)}
              hint={strings.chats.rename}
              size="small"
              onClick={() => setRenaming(true)}
            >
              <PencilIcon size={16} />
            </IconButton>
            <IconButton
              label={strings.chats.removeLabel(title)}
              hint={strings.chats.remove}
              size="small"
              onClick={() => void commands.removeChats([chat])}
            >
              <TrashIcon size={16} />
            </IconButton>
          </span>
        </>
      )}
    </li>
  );
});

interface TitleFieldProps {
  readonly title: string;
  /** `refocus`: ended by a key, so the focus goes back to the chat. */
  readonly onDone: (title: string, refocus: boolean) => void;
  readonly onCancel: () => void;
}

function TitleField({ title, onDone, onCancel }: TitleFieldProps) {
  const [text, setText] = useState(title);
  // Leaving by key removes the field, which blurs it once more.
  const ended = useRef(false);
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.select(), []);
  return (
    <input
      className="chat-rename"
      aria-label={strings.chats.titleLabel}
      value={text}
      maxLength={200}
      ref={field}
      onChange={(event) => setText(event.target.value)}
      onBlur={() => {
        if (!ended.current) onDone(text, false);
      }}
      onKeyDown={(event) => {
        event.stopPropagation();
        if (event.nativeEvent.isComposing || event.keyCode === 229) return;
        if (event.key !== 'Enter' && event.key !== 'Escape') return;
        event.preventDefault();
        ended.current = true;
        if (event.key === 'Enter') onDone(text, true);
        else onCancel();
      }}
    />
  );
}
