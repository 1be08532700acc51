/** Keys that work everywhere in the window. */
import { useEffect } from 'react';
import { useApp } from '../../store/context.ts';
import { streamingMessage } from '../../store/state.ts';
import { focusComposer, focusSearch } from './focus.ts';

/** Ctrl+N (or Cmd) begins a chat, Ctrl+K searches, Esc closes the drawer or stops the answer. */
export function useShortcuts(): void {
  const { store, commands } = useApp();
  useEffect(() => {
    function onKeyDown(event: KeyboardEvent): void {
      if (event.defaultPrevented || event.isComposing || event.keyCode === 229) return;
      const command = (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey;
      const key = event.key.toLowerCase();
      if (command && key === 'n') {
        event.preventDefault();
        commands.newChat();
        focusComposer();
      } else if (command && key === 'k') {
        event.preventDefault();
        commands.setView('chat');
        commands.foldList(false);
        commands.setDrawer(true);
        focusSearch();
      } else if (event.key === 'Escape') {
        const state = store.get();
        if (state.drawerOpen) {
          commands.setDrawer(false);
          focusComposer();
          return;
        }
        const message = state.view === 'chat' ? streamingMessage(state, state.activeChatId) : undefined;
        if (message !== undefined) void commands.stop(message.id);
      }
    }
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, [store, commands]);
}
