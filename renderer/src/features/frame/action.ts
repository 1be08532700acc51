/** Something that a user can do in the window: by the palette, by a key, or both. */
import type { AppContextValue } from '../../store/context.ts';
import type { AppState } from '../../store/state.ts';

/** The headings of the overview of keys, in its order. */
export const ACTION_GROUPS = ['general', 'chat', 'messages', 'view', 'settings'] as const;
export type ActionGroup = (typeof ACTION_GROUPS)[number];

export interface Action {
  /** Stays the same over versions and languages: the palette remembers by it. */
  readonly id: string;
  readonly group: ActionGroup;
  readonly label: () => string;
  /** As shown: "Ctrl+Shift+P"; Ctrl stands for Cmd too. The first of several is the one that menus name. */
  readonly keys?: readonly string[];
  /** Absent where a feature or the menu handles the keys itself; the overview shows them all the same. */
  readonly run?: (app: AppContextValue) => void;
  /** The menu has these keys: the window must not take them as well. */
  readonly keysOfMenu?: boolean;
  /** Absent: always. */
  readonly available?: (state: AppState) => boolean;
}
