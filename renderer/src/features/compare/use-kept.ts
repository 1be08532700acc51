/** The comparisons of one kind that are kept, and which of them is shown. */
import { useEffect, useState } from 'react';
import type { ComparisonEntry, KeptComparison } from '../../../../contract/compare.ts';
import { useAppState, useCommands } from '../../store/context.ts';

export interface Kept<K extends KeptComparison['kind'] = KeptComparison['kind']> {
  readonly entries: readonly ComparisonEntry[];
  /** Undefined: a new one is to be begun. */
  readonly shownId: string | undefined;
  /** Undefined until it was read. */
  readonly shown: Extract<KeptComparison, { kind: K }> | undefined;
  /** Null: a new one; undefined: the newest. */
  readonly choose: (id: string | null | undefined) => void;
}

export function useKept<K extends KeptComparison['kind']>(kind: K): Kept<K> {
  const commands = useCommands();
  const all = useAppState((state) => state.comparisons);
  const [chosen, choose] = useState<string | null>();
  const entries = (all ?? []).filter((entry) => entry.kind === kind);
  const shownId = chosen === null ? undefined : (entries.find(({ id }) => id === chosen) ?? entries[0])?.id;
  const found = useAppState(({ openedComparisons }) =>
    shownId === undefined ? undefined : openedComparisons[shownId],
  );
  const missing = shownId !== undefined && found === undefined;
  useEffect(() => {
    if (missing) void commands.readComparison(shownId);
  }, [commands, missing, shownId]);
  const shown = found?.kind === kind ? (found as Extract<KeptComparison, { kind: K }>) : undefined;
  return { entries, shownId, shown, choose };
}
