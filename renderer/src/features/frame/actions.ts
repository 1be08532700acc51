/** All actions of the window. A feature adds its own here. */
import { strings } from '../../strings.ts';
import { messageActions } from '../chat/message-actions.ts';
import { chatActions } from '../shortcuts/chat-actions.ts';
import type { Action } from './action.ts';
import { views } from './views.tsx';

const generalActions: readonly Action[] = [
  {
    id: 'palette',
    group: 'general',
    label: () => strings.actions.palette,
    keys: ['Ctrl+Shift+P', 'F1'],
    run: ({ commands }) => commands.setOverlay('palette'),
  },
  {
    id: 'shortcuts',
    group: 'general',
    label: () => strings.actions.shortcuts,
    keys: ['Ctrl+/', '?'],
    run: ({ commands }) => commands.setOverlay('shortcuts'),
  },
  {
    id: 'new-window',
    group: 'general',
    label: () => strings.actions.newWindow,
    keys: ['Ctrl+Shift+N'],
    run: ({ commands }) => void commands.newWindow(),
  },
  {
    id: 'copy-diagnostics',
    group: 'general',
    label: () => strings.actions.copyDiagnostics,
    run: ({ commands }) => void commands.copyDiagnostics(),
  },
  {
    id: 'open-logs',
    group: 'general',
    label: () => strings.actions.openLogs,
    run: ({ commands }) => void commands.openLogs(),
  },
];

const viewActions: readonly Action[] = [
  ...views.map(
    ({ view, label }, index): Action => ({
      id: `view-${view}`,
      group: 'view',
      label: () => strings.actions.goTo(label()),
      keys: view === 'settings' ? ['Ctrl+,'] : [`Ctrl+${index + 1}`],
      run: ({ commands }) => commands.setView(view),
    }),
  ),
  {
    id: 'zoom-in',
    group: 'view',
    label: () => strings.actions.zoomIn,
    keys: ['Ctrl++'],
    keysOfMenu: true,
    run: ({ commands }) => void commands.zoom('in'),
  },
  {
    id: 'zoom-out',
    group: 'view',
    label: () => strings.actions.zoomOut,
    keys: ['Ctrl+-'],
    keysOfMenu: true,
    run: ({ commands }) => void commands.zoom('out'),
  },
  {
    id: 'zoom-reset',
    group: 'view',
    label: () => strings.actions.zoomReset,
    keys: ['Ctrl+0'],
    keysOfMenu: true,
    run: ({ commands }) => void commands.zoom('reset'),
  },
];

const settingActions: readonly Action[] = [
  ...(['light', 'dark', 'system'] as const).map(
    (theme): Action => ({
      id: `theme-${theme}`,
      group: 'settings',
      label: () => strings.actions.theme(strings.settings.appearance.themes[theme]),
      run: ({ commands }) => void commands.changeSettings({ theme }),
      available: ({ settings }) => settings?.theme !== theme,
    }),
  ),
  {
    id: 'language-en',
    group: 'settings',
    label: () => strings.actions.english,
    run: ({ commands }) => void commands.changeSettings({ language: 'en' }),
  },
  {
    id: 'language-zh-CN',
    group: 'settings',
    label: () => strings.actions.chinese,
    run: ({ commands }) => void commands.changeSettings({ language: 'zh-CN' }),
  },
];

export const actions: readonly Action[] = [
  ...generalActions,
  ...chatActions,
  ...messageActions,
  ...viewActions,
  ...settingActions,
];
