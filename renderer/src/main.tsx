/** Starts the window: bridge, store, commands, then React. */
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { createApi, windowBridge } from './bridge.ts';
import { GuardedApp } from './features/frame/guarded-app.tsx';
import { createCommands } from './store/commands.ts';
import { AppContext, type AppContextValue } from './store/context.ts';
import { readMemory, windowStorage } from './store/memory.ts';
import { initialState } from './store/state.ts';
import { createStore } from './store/store.ts';
import { keepInStep } from './store/sync.ts';
import { ErrorBoundary } from './ui/error-boundary.tsx';
import './styles/tokens.css';
import './styles/base.css';
import './styles/frame.css';
import './styles/controls.css';
import './styles/contrast.css';

function connect(): AppContextValue {
  const bridge = windowBridge();
  const api = createApi(bridge);
  const storage = windowStorage();
  const { listFolded, activeChatId } = readMemory(storage);
  const store = createStore({ ...initialState, listFolded });
  const commands = createCommands(store, api);
  keepInStep(store, commands, api, storage);
  // A further window begins with an empty chat.
  void commands.start(window.location.hash === '#more' ? null : activeChatId);
  return { store, commands, platform: bridge.platform };
}

const root = document.getElementById('root');
if (root === null) throw new Error('index.html has no #root.');
createRoot(root).render(
  <StrictMode>
    <ErrorBoundary>
      <AppContext value={connect()}>
        <GuardedApp />
      </AppContext>
    </ErrorBoundary>
  </StrictMode>,
);
