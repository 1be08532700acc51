/** The work area of a chat: title and engine above, the conversation, the composer below. */
import { useEffect } from 'react';
import { useAppState, useCommands } from '../../store/context.ts';
import { strings } from '../../strings.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import { PanelIcon } from '../../ui/icons.tsx';
import { EngineBanner, EngineChip } from '../engine/engine-status.tsx';
import { focusComposer } from '../frame/focus.ts';
import { Composer } from './composer.tsx';
import { EmptyState } from './empty-state.tsx';
import { MessageList } from './message-list.tsx';
import './chat.css';
import './composer.css';
import './message.css';

export function ChatView({ narrow }: { narrow: boolean }) {
  useEffect(focusComposer, []);
  return (
    <main className="chat">
      <TopBar narrow={narrow} />
      <EngineBanner />
      <Body />
      <div className="composer-dock">
        <Composer />
      </div>
    </main>
  );
}

function TopBar({ narrow }: { narrow: boolean }) {
  const commands = useCommands();
  const listShown = useAppState((state) => (narrow ? state.drawerOpen : !state.listFolded));
  const title = useAppState((state) => state.chats.find((chat) => chat.id === state.activeChatId)?.title);
  return (
    <header className="topbar">
      <IconButton
        label={listShown ? strings.chats.hideList : strings.chats.showList}
        aria-expanded={listShown}
        onClick={() => (narrow ? commands.setDrawer(!listShown) : commands.foldList(listShown))}
      >
        <PanelIcon />
      </IconButton>
      <h1 className="topbar-title">{title || strings.chats.untitled}</h1>
      <EngineChip />
    </header>
  );
}

function Body() {
  const chatId = useAppState((state) => state.activeChatId);
  const conversation = useAppState((state) => (chatId === null ? undefined : state.conversations[chatId]));
  if (chatId === null) return <EmptyState />;
  // Reading takes milliseconds: an empty page is calmer than a spinner that flashes.
  if (conversation?.loaded !== true) return <div className="conversation" aria-busy="true" />;
  if (conversation.messages.length === 0) return <EmptyState />;
  return <MessageList key={chatId} messages={conversation.messages} />;
}
