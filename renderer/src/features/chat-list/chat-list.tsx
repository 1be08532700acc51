/** The pane with all chats: begin one, find one, open one. */
import { useMemo, useState } from 'react';
import { useAppState, useCommands } from '../../store/context.ts';
import { strings } from '../../strings.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import { CloseIcon, MoreIcon, PlusIcon, SearchIcon } from '../../ui/icons.tsx';
import { MenuButton } from '../../ui/menu.tsx';
import { focusComposer, SEARCH_ID } from '../frame/focus.ts';
import { ChatRows } from './chat-rows.tsx';
import { useClosedFolders } from './closed-folders.ts';
import { RemovedChats } from './removed-chats.tsx';
import { hitRows, rowsOf } from './rows.ts';
import './chat-list.css';

export function ChatList({ hidden }: { hidden: boolean }) {
  const commands = useCommands();
  const [binOpen, setBinOpen] = useState(false);
  return (
    <aside className="list" aria-label={strings.chats.label} inert={hidden}>
      <div className="list-head">
        <Search />
        <ListMenu onShowBin={() => setBinOpen(true)} />
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
      {binOpen && <RemovedChats onClose={() => setBinOpen(false)} />}
    </aside>
  );
}

function ListMenu({ onShowBin }: { onShowBin: () => void }) {
  const commands = useCommands();
  const words = strings.chats;
  return (
    <MenuButton
      label={words.menu}
      size="normal"
      entries={[
        { label: words.newFolder, onSelect: () => void commands.createFolder(words.newFolderName) },
        'separator',
        { label: words.import, onSelect: () => void commands.importChats() },
        { label: words.exportAllJson, onSelect: () => void commands.exportChats(null, 'json') },
        { label: words.exportAllMarkdown, onSelect: () => void commands.exportChats(null, 'markdown') },
        'separator',
        { label: words.bin.title, onSelect: onShowBin },
      ]}
    >
      <MoreIcon />
    </MenuButton>
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
        dir="auto"
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
  const chats = useAppState((state) => state.chats);
  const folders = useAppState((state) => state.folders);
  const { query, hits, more } = useAppState((state) => state.search);
  const started = useAppState((state) => state.phase === 'ready');
  const closed = useClosedFolders();
  const rows = useMemo(
    () => (hits === null ? rowsOf(chats, folders, closed, Date.now()) : hitRows(hits, chats)),
    [chats, folders, closed, hits],
  );
  if (rows.length === 0) {
    if (!started) return null;
    return <p className="list-empty">{hits === null ? strings.chats.none : strings.chats.noMatch(query.trim())}</p>;
  }
  return (
    <>
      {hits !== null && (
        <p className="list-found" role="status">
          {strings.chats.found(rows.length, more)}
        </p>
      )}
      <ChatRows rows={rows} />
    </>
  );
}
