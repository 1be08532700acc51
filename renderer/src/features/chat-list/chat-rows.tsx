/** The rows of the list. Only those in sight are in the page; the arrow keys reach all. */
import { useVirtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { useAppState, useCommands } from '../../store/context.ts';
import { strings } from '../../strings.ts';
import { ChatListItem } from './chat-list-item.tsx';
import { useChatDrop } from './drag.ts';
import { FolderRow } from './folder-row.tsx';
import { ROW_HEIGHT, type Row } from './rows.ts';

export function ChatRows({ rows }: { rows: readonly Row[] }) {
  const activeChatId = useAppState((state) => state.activeChatId);
  const scroller = useRef<HTMLDivElement>(null);
  /** The row that the arrow keys have led to. */
  const [current, setCurrent] = useState<string>();
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => ROW_HEIGHT[rows[index]?.kind ?? 'chat'],
    getItemKey: (index) => rows[index]?.key ?? index,
    overscan: 8,
  });
  // Heights belong to kinds of rows, and other rows may have come to the same places.
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above
  useEffect(() => virtualizer.measure(), [rows]);

  // One row is in the tab order.
  const has = (key: string | null | undefined) => rows.some((row) => row.key === key && row.kind !== 'heading');
  const tabStop = has(current)
    ? current
    : has(activeChatId)
      ? activeChatId
      : rows.find((row) => row.kind !== 'heading')?.key;

  function onKeyDown(event: KeyboardEvent<HTMLElement>): void {
    const step = { ArrowDown: 1, ArrowUp: -1, Home: -Infinity, End: Infinity, PageDown: 10, PageUp: -10 }[event.key];
    if (step === undefined || !(event.target instanceof HTMLElement) || !event.target.matches('.chat-open')) return;
    event.preventDefault();
    const reachable = rows.filter((row) => row.kind !== 'heading');
    const from = reachable.findIndex((row) => row.key === keyOf(event.target as HTMLElement));
    const row = reachable[Math.min(reachable.length - 1, Math.max(0, from + step))];
    if (row === undefined) return;
    setCurrent(row.key);
    virtualizer.scrollToIndex(rows.indexOf(row));
    // The row may be put into the page by scrolling only.
    requestAnimationFrame(() => setTimeout(() => focusRow(scroller.current, row.key)));
  }

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: keys that bubble up from the buttons inside move between them
    <div ref={scroller} className="list-scroll" onKeyDown={onKeyDown}>
      <ul className="list-items" style={{ height: virtualizer.getTotalSize() }}>
        {virtualizer.getVirtualItems().map(({ index, key, start }) => {
          const row = rows[index];
          return row === undefined ? null : (
            <li key={key} data-row={row.key} className="list-row" style={{ transform: `translateY(${start}px)` }}>
              <RowContent row={row} active={row.key === activeChatId} tabStop={row.key === tabStop} />
            </li>
          );
        })}
      </ul>
    </div>
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

function keyOf(element: HTMLElement): string | undefined {
  return element.closest<HTMLElement>('[data-row]')?.dataset.row;
}

function focusRow(scroller: HTMLElement | null, key: string): void {
  scroller?.querySelector<HTMLElement>(`[data-row="${CSS.escape(key)}"] .chat-open`)?.focus();
}
