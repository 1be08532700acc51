/** What the window knows of comparisons. Pure. */
import type { AppEvent } from '../../../contract/channels.ts';
import { type ComparisonEntry, comparisonEntry, type KeptComparison, type Variant } from '../../../contract/compare.ts';
import { put } from './put.ts';

/** What is being put together, kept while other screens are looked at. */
export interface CompareForm {
  readonly kind: 'text' | 'document';
  readonly text: string;
  /** Empty: none chosen. */
  readonly documentId: string;
  readonly question: string;
  /** Beside full attention. */
  readonly variants: readonly Variant[];
  readonly maxTokens: number;
}

/** How far the row, or the point of a curve, is that is being made. */
export interface RowProgress {
  readonly row: number;
  readonly prefill?: { readonly done: number; readonly total: number };
  readonly tokensPerSecond: number;
  readonly text: string;
}

export interface CompareState {
  /** The last one first; null until they were read once. */
  readonly comparisons: readonly ComparisonEntry[] | null;
  /** Those that were opened or are being made, by their id. */
  readonly openedComparisons: Readonly<Record<string, KeptComparison>>;
  readonly comparing: Readonly<Record<string, RowProgress>>;
  readonly compareForm: CompareForm;
}

export const initialCompare: CompareState = {
  comparisons: null,
  openedComparisons: {},
  comparing: {},
  compareForm: {
    kind: 'text',
    text: '',
    documentId: '',
    question: '',
    variants: [{ attention: { mode: 'shadow', ratio: 0.07 } }, { attention: { mode: 'block', ratio: 0.2 } }],
    maxTokens: 64,
  },
};

type CompareEvent = Extract<AppEvent, { type: 'comparison' | 'comparison-removed' | 'comparison-progress' }>;

export function applyCompareEvent<S extends CompareState>(state: S, event: CompareEvent): S {
  switch (event.type) {
    case 'comparison': {
      const { comparison } = event;
      const comparisons = put(state.comparisons ?? [], comparisonEntry(comparison));
      return { ...putComparison(state, comparison), comparisons, comparing: without(state.comparing, comparison.id) };
    }
    case 'comparison-removed':
      return {
        ...state,
        comparisons: state.comparisons?.filter(({ id }) => id !== event.comparisonId) ?? null,
        openedComparisons: without(state.openedComparisons, event.comparisonId),
        comparing: without(state.comparing, event.comparisonId),
      };
    case 'comparison-progress': {
      const { comparisonId, row, prefill, tokensPerSecond, offset, delta } = event;
      const before = state.comparing[comparisonId];
      const text = before?.row === row ? before.text.slice(0, offset) : '';
      const progress = { row, tokensPerSecond, text: text + delta, ...(prefill === undefined ? {} : { prefill }) };
      return { ...state, comparing: { ...state.comparing, [comparisonId]: progress } };
    }
  }
}

export function putComparison<S extends CompareState>(state: S, comparison: KeptComparison): S {
  return { ...state, openedComparisons: { ...state.openedComparisons, [comparison.id]: comparison } };
}

function without<T>(record: Readonly<Record<string, T>>, key: string): Readonly<Record<string, T>> {
  const { [key]: _, ...others } = record;
  return others;
}
