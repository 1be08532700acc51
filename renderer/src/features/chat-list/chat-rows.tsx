/** The rows of the list. */
import { useAppState, useCommands } from '../../store/context.ts';
import { strings } from '../../strings.ts';
import { VirtualRows } from '../../ui/virtual-rows.tsx';
import { ChatListItem } from './chat-list-item.tsx';
import { useChatDrop } from './drag.ts';
import { FolderRow } from './folder-row.tsx';
import { ROW_HEIGHT, type Row } from './rows.ts';

export function ChatRows({ rows }: { rows: readonly Row[] }) {
  const activeChatId = useAppState((state) => state.activeChatId);
  return (
    <VirtualRows
      rows={rows}
      heightOf={({ kind }) => ROW_HEIGHT[kind]}
      reachable={({ kind }) => kind !== 'heading'}
      activeKey={activeChatId}
      target=".chat-open"
    >
      {(row, tabStop) => <RowContent row={row} active={row.key === activeChatId} tabStop={tabStop} />}
    </VirtualRows>
  );
}

function RowContent({ row, active, tabStop }: { row: Row; active: boolean; tabStop: boolean }) {
  switch (row.kind) {
    case 'heading':
      return <Heading group={row.group} />;
    case 'folder':
      return <FolderRow folder={row.folder} open={row.open} count={row.count} tabStop={tabStop} />;
    case 'chat':
      return <ChatListItem chat={row.chat} active={active} inFolder={row.inFolder} tabStop={tabStop} />;
    case 'hit':
      return <ChatListItem chat={row.chat} active={active} inFolder={false} tabStop={tabStop} hit={row.hit} />;
  }
}

/** A chat that is dropped on it comes out of its folder; on "Pinned" it is pinned. */
function Heading({ group }: { group: Extract<Row, { kind: 'heading' }>['group'] }) {
  const commands = useCommands();
  const { over, handlers } = useChatDrop((chatId) => {
    void (group === 'pinned' ? commands.pinChat(chatId, true) : commands.moveChat(chatId, null));
  });
  return (
    <h2 className={`list-group${over ? ' is-over' : ''}`} {...handlers}>
      {strings.chats.groups[group]}
    </h2>
  );
}
