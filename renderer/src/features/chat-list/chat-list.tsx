/** The pane with all chats: begin one, find one, open one. */
import { type KeyboardEvent, useMemo } from 'react';
import type { Chat } from '../../../../contract/chats.ts';
import { useAppState, useCommands } from '../../store/context.ts';
import { strings } from '../../strings.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import { CloseIcon, PlusIcon, SearchIcon } from '../../ui/icons.tsx';
import { focusComposer, SEARCH_ID } from '../frame/focus.ts';
import { ChatListItem } from './chat-list-item.tsx';
import { groupByDate } from './group-by-date.ts';
import './chat-list.css';

export function ChatList({ hidden }: { hidden: boolean }) {
  const commands = useCommands();
  return (
    <aside className="list" aria-label={strings.chats.label} inert={hidden}>
      <div className="list-head">
        <Search />
        <IconButton
          label={strings.chats.newChat}
          hint={strings.chats.newChatHint}
          tone="accent"
          data-testid="new-chat"
          onClick={() => {
            commands.newChat();
            focusComposer();
          }}
        >
          <PlusIcon />
        </IconButton>
      </div>
      <Chats />
    </aside>
  );
}

function Search() {
  const commands = useCommands();
  const query = useAppState((state) => state.search.query);
  return (
    <div className="search">
      <SearchIcon size={16} />
      <input
        id={SEARCH_ID}
        type="search"
        data-testid="search-input"
        aria-label={strings.chats.search}
        placeholder={strings.chats.search}
        title={`${strings.chats.search} (${strings.chats.searchHint})`}
        value={query}
        maxLength={200}
        spellCheck={false}
        onChange={(event) => commands.setSearch(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Escape' || query === '' || event.nativeEvent.isComposing) return;
          event.preventDefault();
          commands.setSearch('');
        }}
      />
      {query !== '' && (
        <IconButton label={strings.chats.clearSearch} size="small" onClick={() => commands.setSearch('')}>
          <CloseIcon size={14} />
        </IconButton>
      )}
    </div>
  );
}

function Chats() {
  const all = useAppState((state) => state.chats);
  const { query, hits } = useAppState((state) => state.search);
  const started = useAppState((state) => state.phase === 'ready');
  const activeChatId = useAppState((state) => state.activeChatId);
  const searching = hits !== null;
  const shown = useMemo(() => {
    if (hits === null) return all;
    const byId = new Map(all.map((chat) => [chat.id, chat]));
    return hits.map(({ chatId }) => byId.get(chatId)).filter((chat) => chat !== undefined);
  }, [hits, all]);
  if (shown.length === 0) {
    if (!started) return null;
    return <p className="list-empty">{searching ? strings.chats.noMatch(query.trim()) : strings.chats.none}</p>;
  }
  // One item is in the tab order; the arrow keys reach the others.
  const tabStop = shown.some((chat) => chat.id === activeChatId) ? activeChatId : shown[0]?.id;
  const item = (chat: Chat) => (
    <ChatListItem key={chat.id} chat={chat} active={chat.id === activeChatId} tabStop={chat.id === tabStop} />
  );
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: keys that bubble up from the buttons inside move between them
    <div className="list-scroll" onKeyDown={moveFocus}>
      {searching ? (
        <ul className="list-items">{shown.map(item)}</ul>
      ) : (
        groupByDate(shown, Date.now()).map(({ group, chats }) => (
          <section key={group} aria-label={strings.chats.groups[group]}>
            <h2 className="list-group">{strings.chats.groups[group]}</h2>
            <ul className="list-items">{chats.map(item)}</ul>
          </section>
        ))
      )}
    </div>
  );
}

function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  const steps: Record<string, number> = { ArrowDown: 1, ArrowUp: -1, Home: Number.NEGATIVE_INFINITY, End: Infinity };
  const step = steps[event.key];
  if (step === undefined || !(event.target instanceof HTMLElement) || !event.target.matches('.chat-open')) return;
  const buttons = [...event.currentTarget.querySelectorAll<HTMLElement>('.chat-open')];
  const index = Math.min(buttons.length - 1, Math.max(0, buttons.indexOf(event.target) + step));
  event.preventDefault();
  buttons[index]?.focus();
}
