/** What can be done in the chat from everywhere, and the keys that the chat handles itself. */
import { streamingMessage } from '../../store/state.ts';
import { strings } from '../../strings.ts';
import type { Action } from '../frame/action.ts';
import { focusComposer, focusSearch } from '../frame/focus.ts';

export const chatActions: readonly Action[] = [
  {
    id: 'new-chat',
    group: 'chat',
    label: () => strings.actions.newChat,
    keys: ['Ctrl+N'],
    run: ({ commands }) => {
      commands.newChat();
      focusComposer();
    },
  },
  {
    id: 'search',
    group: 'chat',
    label: () => strings.actions.search,
    keys: ['Ctrl+K'],
    run: ({ commands }) => {
      commands.setView('chat');
      commands.foldList(false);
      commands.setDrawer(true);
      focusSearch();
    },
  },
  {
    id: 'toggle-list',
    group: 'chat',
    label: () => strings.actions.toggleList,
    keys: ['Ctrl+B'],
    run: ({ store, commands }) => {
      const { listFolded, drawerOpen } = store.get();
      commands.setView('chat');
      commands.foldList(!listFolded);
      commands.setDrawer(!drawerOpen);
    },
  },
  {
    id: 'stop',
    group: 'chat',
    label: () => strings.actions.stop,
    keys: ['Esc'],
    run: ({ store, commands }) => {
      const state = store.get();
      const message = streamingMessage(state, state.activeChatId);
      if (message !== undefined) void commands.stop(message.id);
    },
    available: (state) => streamingMessage(state, state.activeChatId) !== undefined,
  },
  { id: 'send', group: 'chat', label: () => strings.actions.send, keys: ['Enter'] },
  { id: 'new-line', group: 'chat', label: () => strings.actions.newLine, keys: ['Shift+Enter'] },
];
