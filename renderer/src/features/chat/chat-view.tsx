/** The work area of a chat: title and engine above, the conversation, the composer below. */
import { type ReactNode, useEffect, useState } from 'react';
import { useAppState, useCommands } from '../../store/context.ts';
import { strings } from '../../strings.ts';
import { useFileDrop } from '../../ui/file-drop.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import { PanelIcon, SettingsIcon } from '../../ui/icons.tsx';
import { EngineBanner, EngineChip } from '../engine/engine-status.tsx';
import { focusComposer } from '../frame/focus.ts';
import { OptionsPanel } from '../presets/options-panel.tsx';
import { Composer } from './composer.tsx';
import { EmptyState } from './empty-state.tsx';
import { MessageList } from './message-list.tsx';
import { ModelSwitch } from './model-switch.tsx';
import './chat.css';
import './composer.css';
import './message.css';

export function ChatView({ narrow }: { narrow: boolean }) {
  const [options, setOptions] = useState(false);
  useEffect(focusComposer, []);
  return (
    <DropZone>
      <TopBar narrow={narrow} options={options} onOptions={() => setOptions(!options)} />
      <div className={`chat-columns${narrow ? ' is-narrow' : ''}`}>
        <div className="chat-main">
          <EngineBanner />
          <Body />
          <div className="composer-dock">
            <Composer />
          </div>
        </div>
        {options && <OptionsPanel onClose={() => setOptions(false)} />}
      </div>
    </DropZone>
  );
}

/** Files that are dropped anywhere on the chat are attached to the question. */
function DropZone({ children }: { children: ReactNode }) {
  const commands = useCommands();
  const { over, handlers } = useFileDrop((files) => {
    void commands.attachFiles(files);
    focusComposer();
  });
  return (
    <main className="chat" {...handlers}>
      {children}
      {over && <div className="drop-here">{strings.composer.drop}</div>}
    </main>
  );
}

interface TopBarProps {
  readonly narrow: boolean;
  readonly options: boolean;
  readonly onOptions: () => void;
}

function TopBar({ narrow, options, onOptions }: TopBarProps) {
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
      <ModelSwitch />
      <IconButton
        label={options ? strings.options.close : strings.options.open}
        on={options}
        aria-expanded={options}
        onClick={onOptions}
      >
        <SettingsIcon />
      </IconButton>
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
