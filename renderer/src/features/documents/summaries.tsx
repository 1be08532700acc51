/** The summaries of a document: the one that is shown, those that are kept, and how to begin another. */
import { useState } from 'react';
import type { Citation, Summary } from '../../../../contract/summaries.ts';
import { formatDate } from '../../format.ts';
import { useAppState } from '../../store/context.ts';
import { strings } from '../../strings.ts';
import { SummaryStart } from './summary-start.tsx';
import { SummaryView } from './summary-view.tsx';

const none: readonly Summary[] = [];

export function Summaries({ documentId, onCite }: { documentId: string; onCite: (citation: Citation) => void }) {
  const words = strings.documents.summary;
  const all = useAppState((state) => state.summaries[documentId] ?? none);
  /** Null: a new one; undefined: the newest. */
  const [chosen, setChosen] = useState<string | null>();
  const shown = chosen === null ? undefined : (all.find(({ id }) => id === chosen) ?? all[0]);
  return (
    <section className="document-section" aria-label={words.title}>
      <div className="document-section-head">
        <h3>{words.title}</h3>
        {all.length > 1 && (
          <select
            className="select"
            aria-label={words.kept}
            value={shown?.id ?? ''}
            onChange={(event) => setChosen(event.target.value)}
          >
            {shown === undefined && <option value="">{words.another}</option>}
            {all.map(({ id, options, createdAt }) => (
              <option key={id} value={id}>{`${words.styles[options.style]} · ${formatDate(createdAt)}`}</option>
            ))}
          </select>
        )}
        {shown !== undefined && (
          <button type="button" className="button" onClick={() => setChosen(null)}>
            {words.another}
          </button>
        )}
      </div>
      {shown === undefined ? (
        <SummaryStart documentId={documentId} onStarted={() => setChosen(undefined)} />
      ) : (
        <SummaryView key={shown.id} summary={shown} onCite={onCite} />
      )}
    </section>
  );
}
