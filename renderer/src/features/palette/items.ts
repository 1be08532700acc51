/** What the palette offers: actions, the models that are here, and chats; ranked by what was typed and what was used. */
import type { AppContextValue } from '../../store/context.ts';
import type { AppState } from '../../store/state.ts';
import { strings } from '../../strings.ts';
import { actions } from '../frame/actions.ts';
import { fuzzyMatch } from './fuzzy.ts';

export interface PaletteItem {
  readonly id: string;
  readonly kind: 'action' | 'model' | 'chat';
  readonly label: string;
  readonly keys?: string;
  readonly run: (app: AppContextValue) => void;
}

export interface RankedItem extends PaletteItem {
  /** Characters of the label that were typed. */
  readonly at: readonly number[];
}

const MOST = 50;
/** Chats that are shown before anything is typed. */
const FEW_CHATS = 5;
/** What a recent use is worth, the newest most. */
const RECENT_POINTS = 3;

export function itemsOf(state: AppState): readonly PaletteItem[] {
  const loaded = state.engine.state === 'ready' ? state.engine.model.id : undefined;
  return [
    ...actions.flatMap(({ id, label, keys, run, available }): PaletteItem[] =>
      run === undefined || id === 'palette' || available?.(state) === false
        ? []
        : [{ id, kind: 'action', label: label(), run, ...(keys?.[0] === undefined ? {} : { keys: keys[0] }) }],
    ),
    ...(state.models ?? [])
      .filter(({ id, problem }) => problem === undefined && id !== loaded)
      .map(
        ({ id, name }): PaletteItem => ({
          id: `model-${id}`,
          kind: 'model',
          label: strings.actions.useModel(name),
          run: ({ commands }) => void commands.loadModel(id),
        }),
      ),
    ...state.chats.map(
      ({ id, title }): PaletteItem => ({
        id: `chat-${id}`,
        kind: 'chat',
        label: title || strings.chats.untitled,
        run: ({ commands }) => void commands.openChat(id),
      }),
    ),
  ];
}

/** Best first. Without a query: what was used last, then the actions, then the newest chats. */
export function rank(items: readonly PaletteItem[], query: string, recent: readonly string[]): readonly RankedItem[] {
  const points = new Map(recent.map((id, index) => [id, RECENT_POINTS * (recent.length - index)]));
  if (query.trim() === '') {
    const used = recent.flatMap((id) => items.filter((item) => item.id === id));
    const rest = items.filter(({ id }) => !points.has(id));
    const chats = rest.filter(({ kind }) => kind === 'chat').slice(0, FEW_CHATS);
    return [...used, ...rest.filter(({ kind }) => kind !== 'chat'), ...chats].map((item) => ({ ...item, at: [] }));
  }
  return items
    .flatMap((item) => {
      const match = fuzzyMatch(item.label, query);
      return match === undefined ? [] : [{ item, at: match.at, score: match.score + (points.get(item.id) ?? 0) }];
    })
    .sort((a, b) => b.score - a.score)
    .slice(0, MOST)
    .map(({ item, at }) => ({ ...item, at }));
}
