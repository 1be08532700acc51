/** The keys of the conversation, for the overview. They are handled where the messages are. */
import { strings } from '../../strings.ts';
import type { Action } from '../frame/action.ts';

export const messageActions: readonly Action[] = [
  { id: 'message-previous', group: 'messages', label: () => strings.shortcutsOfChat.previous, keys: ['Alt+↑'] },
  { id: 'message-next', group: 'messages', label: () => strings.shortcutsOfChat.next, keys: ['Alt+↓'] },
  { id: 'message-copy', group: 'messages', label: () => strings.shortcutsOfChat.copy, keys: ['C'] },
  { id: 'message-edit', group: 'messages', label: () => strings.shortcutsOfChat.edit, keys: ['E'] },
  { id: 'message-regenerate', group: 'messages', label: () => strings.shortcutsOfChat.regenerate, keys: ['R'] },
  { id: 'message-branch', group: 'messages', label: () => strings.shortcutsOfChat.branch, keys: ['←', '→'] },
  { id: 'find', group: 'messages', label: () => strings.shortcutsOfChat.find, keys: ['Ctrl+F'] },
];
