/** Chats that were deleted and can still be brought back. */
import { useEffect, useState } from 'react';
import type { Chat } from '../../../../contract/chats.ts';
import { formatDate } from '../../format.ts';
import { useCommands } from '../../store/context.ts';
import { strings } from '../../strings.ts';
import { Confirm, Dialog } from '../../ui/dialog.tsx';

export function RemovedChats({ onClose }: { onClose: () => void }) {
  const commands = useCommands();
  const [chats, setChats] = useState<readonly Chat[]>();
  const [erasing, setErasing] = useState(false);
  const words = strings.chats.bin;
  useEffect(() => void commands.removedChats().then(setChats), [commands]);

  function without(chat: Chat): void {
    setChats((before) => before?.filter((other) => other.id !== chat.id));
  }

  return (
    <Dialog
      title={words.title}
      onClose={onClose}
      footer={
        chats !== undefined &&
        chats.length > 0 && (
          <button type="button" className="button is-danger" onClick={() => setErasing(true)}>
            {words.empty}
          </button>
        )
      }
    >
      <p>{words.help}</p>
      {chats?.length === 0 && <p className="bin-none">{words.none}</p>}
      <ul className="bin">
        {chats?.map((chat) => (
          <li key={chat.id} className="bin-item">
            <span className="bin-title" dir="auto">
              {chat.title || strings.chats.untitled}
            </span>
            <span className="bin-date">{formatDate(chat.removedAt ?? chat.updatedAt)}</span>
            <button
              type="button"
              className="button"
              aria-label={words.restoreLabel(chat.title)}
              onClick={() => {
                without(chat);
                void commands.restoreChats([chat.id]);
              }}
            >
              {words.restore}
            </button>
          </li>
        ))}
      </ul>
      {erasing && chats !== undefined && (
        <Confirm
          title={words.emptyTitle}
          text={words.emptyText(chats.length)}
          action={words.empty}
          danger
          onCancel={() => setErasing(false)}
          onConfirm={() => {
            setErasing(false);
            setChats([]);
            void commands.eraseChats(chats.map(({ id }) => id));
          }}
        />
      )}
    </Dialog>
  );
}
