/** The window's frame: rail, chat list, work area. */
import type { ComponentType } from 'react';
import { ChatView } from './features/chat/chat-view.tsx';
import { ChatList } from './features/chat-list/chat-list.tsx';
import { CompareView } from './features/compare/compare-view.tsx';
import { DevicesView } from './features/devices/devices-view.tsx';
import { DocumentsView } from './features/documents/documents-view.tsx';
import { FirstRun } from './features/first-run/first-run.tsx';
import { useLanguage } from './features/frame/language.ts';
import { useNarrow } from './features/frame/narrow.ts';
import { Rail } from './features/frame/rail.tsx';
import { useShortcuts } from './features/frame/shortcuts.ts';
import { useTheme } from './features/frame/theme.ts';
import { ModelsView } from './features/models/models-view.tsx';
import { Palette } from './features/palette/palette.tsx';
import { PipelineView } from './features/pipeline/pipeline-view.tsx';
import { ResourceStrip } from './features/resources/resource-strip.tsx';
import { ResourcesView } from './features/resources/resources-view.tsx';
import { SettingsView } from './features/settings/settings-view.tsx';
import { ShortcutsDialog } from './features/shortcuts/shortcuts-dialog.tsx';
import { useAppState, useCommands } from './store/context.ts';
import type { View } from './store/state.ts';
import { strings } from './strings.ts';
import { ErrorText } from './ui/error-text.tsx';
import { Notices } from './ui/notices.tsx';

export function App() {
  // Mounted anew in another language, since strings are read while rendering.
  return <Frame key={useLanguage()} />;
}

function Frame() {
  const phase = useAppState((state) => state.phase);
  const view = useAppState((state) => state.view);
  const theme = useAppState((state) => state.settings?.theme ?? 'system');
  const Screen = screens[view];
  useTheme(theme);
  const welcomed = useAppState((state) => state.settings?.welcomed);
  useShortcuts();
  if (welcomed === false) {
    return (
      <div className="frame">
        <FirstRun />
        <Notices />
      </div>
    );
  }
  return (
    <div className="frame">
      <Rail />
      {typeof phase === 'object' ? <StartFailed /> : phase === 'ready' && <Screen />}
      <Notices />
      <Overlays />
    </div>
  );
}

const screens: Readonly<Record<View, ComponentType>> = {
  chat: ChatScreen,
  documents: DocumentsView,
  models: ModelsView,
  devices: DevicesView,
  resources: ResourcesView,
  pipeline: PipelineView,
  compare: CompareView,
  settings: SettingsView,
};

function ChatScreen() {
  const commands = useCommands();
  const narrow = useNarrow();
  const folded = useAppState((state) => state.listFolded);
  const drawerOpen = useAppState((state) => state.drawerOpen);
  const hidden = narrow ? !drawerOpen : folded;
  return (
    <div className={`screen${narrow ? ' is-narrow' : ''}${hidden ? ' is-list-hidden' : ''}`}>
      <ChatList hidden={hidden} />
      {narrow && drawerOpen && (
        <button
          type="button"
          className="scrim"
          tabIndex={-1}
          aria-label={strings.chats.hideList}
          onClick={() => commands.setDrawer(false)}
        />
      )}
      <ChatView narrow={narrow} />
      <ResourceStrip />
    </div>
  );
}

function Overlays() {
  const overlay = useAppState((state) => state.overlay);
  if (overlay === 'palette') return <Palette />;
  return overlay === 'shortcuts' ? <ShortcutsDialog /> : null;
}

/** Main could not tell what to show. */
function StartFailed() {
  const commands = useCommands();
  const error = useAppState((state) => (typeof state.phase === 'object' ? state.phase.error : undefined));
  return (
    <main className="start-failed" role="alert" data-testid="error-notice">
      <h1>{strings.start.failed}</h1>
      {error !== undefined && <ErrorText error={error} />}
      <button type="button" className="button" onClick={() => void commands.start(null)}>
        {strings.start.retry}
      </button>
    </main>
  );
}
