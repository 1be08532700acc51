/** Keys that work everywhere in the window: those of the actions, and Esc for what is in the way. */
import { useEffect } from 'react';
import { useApp } from '../../store/context.ts';
import { streamingMessage } from '../../store/state.ts';
import { isKey, isTyping } from '../shortcuts/keys.ts';
import { actions } from './actions.ts';
import { focusComposer } from './focus.ts';

export function useShortcuts(): void {
  const app = useApp();
  useEffect(() => {
    function onKeyDown(event: KeyboardEvent): void {
      if (event.defaultPrevented || event.isComposing || event.keyCode === 229) return;
      const state = app.store.get();
      if (state.overlay !== null || state.settings?.welcomed === false) return;
      if (event.key === 'Escape') {
        if (state.drawerOpen) {
          app.commands.setDrawer(false);
          focusComposer();
          return;
        }
        const message = state.view === 'chat' ? streamingMessage(state, state.activeChatId) : undefined;
        if (message !== undefined) void app.commands.stop(message.id);
        return;
      }
      // A plain letter belongs to whoever writes.
      if (!(event.ctrlKey || event.metaKey || event.altKey || /^F\d/.test(event.key)) && isTyping(event.target)) return;
      const wanted = actions.find(
        ({ keys = [], run, keysOfMenu, available }) =>
          run !== undefined &&
          keysOfMenu !== true &&
          keys.some((key) => isKey(event, key)) &&
          available?.(state) !== false,
      );
      if (wanted === undefined) return;
      event.preventDefault();
      wanted.run?.(app);
    }
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, [app]);
}
