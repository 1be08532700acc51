/** The window itself: what it shows, its settings, the clipboard. */
import type { Settings } from '../../../../contract/settings.ts';
import type { AppState, View } from '../state.ts';
import type { Talk } from './talk.ts';

export function createWindowCommands({ store, api, report, guarded }: Talk) {
  return {
    /** Shows the change at once and takes it back if main refuses it. */
    async changeSettings(change: Partial<Settings>): Promise<void> {
      const before = store.get().settings;
      if (before === null) return;
      store.dispatch({ type: 'settings', settings: { ...before, ...change } });
      try {
        store.dispatch({ type: 'settings', settings: await api.ask('settings.set', change) });
      } catch (error) {
        store.dispatch({ type: 'settings', settings: before });
        report(error);
      }
    },

    /** Whether the text is on the clipboard now. */
    async copy(text: string): Promise<boolean> {
      return (
        (await guarded(async () => {
          await api.ask('clipboard.write', { text });
          return true;
        })) === true
      );
    },

    setView(view: View): void {
      store.dispatch({ type: 'view', view });
    },

    dismiss(id: number): void {
      store.dispatch({ type: 'notice-gone', id });
    },

    setOverlay(overlay: AppState['overlay']): void {
      store.dispatch({ type: 'overlay', overlay });
    },

    foldList(folded: boolean): void {
      store.dispatch({ type: 'list-folded', folded });
    },

    setDrawer(open: boolean): void {
      store.dispatch({ type: 'drawer', open });
    },
  };
}
