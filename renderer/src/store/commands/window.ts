/** The window itself: what it shows, its settings, the clipboard. */
import type { CrashReport } from '../../../../contract/app.ts';
import type { Settings } from '../../../../contract/settings.ts';
import { strings } from '../../strings.ts';
import type { AppState, View } from '../state.ts';
import type { Talk } from './talk.ts';

export function createWindowCommands({ store, api, notify, report, guarded }: Talk) {
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

    async newWindow(): Promise<void> {
      await guarded(() => api.ask('app.new-window', undefined));
    },

    /** The zoom after the change, in percent; undefined where main could not be asked. */
    async zoom(change: 'in' | 'out' | 'reset' | 'none'): Promise<number | undefined> {
      return guarded(() => api.ask('app.zoom', { change }));
    },

    /** What helps to find a fault, without anybody's words. */
    async diagnostics(): Promise<string | undefined> {
      return guarded(() => api.ask('app.diagnostics', undefined));
    },

    /** Tells main that the window broke, for the crash reports that stay on this computer. */
    async reportCrash(error: unknown): Promise<void> {
      const { name, stack = '' } = error instanceof Error ? error : new Error(String(error));
      await guarded(() => api.ask('crashes.report', { name: name.slice(0, 100), stack: stack.slice(0, 20_000) }));
    },

    async copyDiagnostics(): Promise<void> {
      await guarded(async () => {
        await api.ask('clipboard.write', { text: await api.ask('app.diagnostics', undefined) });
        notify({ text: strings.about.copied });
      });
    },

    /** Attaches the sample document to the chat that does not exist yet. Whether that went well. */
    async attachSample(): Promise<boolean> {
      return (await guarded(() => api.ask('app.attach-sample', undefined).then(() => true))) === true;
    },

    async openLogs(): Promise<void> {
      await guarded(() => api.ask('app.open-logs', undefined));
    },

    async crashes(): Promise<readonly CrashReport[]> {
      return (await guarded(() => api.ask('crashes.list', undefined))) ?? [];
    },

    async removeCrashes(): Promise<void> {
      await guarded(() => api.ask('crashes.remove', undefined));
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
