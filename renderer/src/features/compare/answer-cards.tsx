/** The answers side by side, with the words marked that full attention's answer does not have. */
import { useMemo } from 'react';
import type { ComparisonRow } from '../../../../contract/compare.ts';
import { wordDiff } from '../../../../contract/word-diff.ts';
import { formatSpeed } from '../../format.ts';
import type { RowProgress } from '../../store/compare.ts';
import { strings } from '../../strings.ts';
import { ProgressBar } from '../../ui/progress-bar.tsx';
import { rowName, rowNote } from './figure-text.ts';
import { Problem } from './problem.tsx';

interface AnswerCardsProps {
  readonly rows: readonly ComparisonRow[];
  readonly progress: RowProgress | undefined;
}

export function AnswerCards({ rows, progress }: AnswerCardsProps) {
  const words = strings.compare;
  const [full] = rows;
  const reference = full?.state === 'done' ? full.text : undefined;
  return (
    <section className="compare-group" aria-label={words.answers}>
      <h2>{words.answers}</h2>
      {reference !== undefined && <p className="compare-note">{words.differs}</p>}
      <div className="compare-answers">
        {rows.map((row, index) => (
          <article
            // biome-ignore lint/suspicious/noArrayIndexKey: rows are known by their place
            key={index}
            className="compare-answer"
            data-testid="compare-answer"
            data-state={row.state}
            aria-busy={row.state === 'running'}
          >
            <h3>
              {rowName(row)}
              <span className="compare-answer-state">{words.rowStates[row.state]}</span>
            </h3>
            {rowNote(row) !== '' && <p className="compare-note">{rowNote(row)}</p>}
            {row.state === 'running' ? (
              <Growing progress={progress?.row === index ? progress : undefined} />
            ) : (
              <Ended row={row} reference={index === 0 ? undefined : reference} />
            )}
          </article>
        ))}
      </div>
    </section>
  );
}

function Growing({ progress }: { progress: RowProgress | undefined }) {
  const words = strings.compare;
  if (progress === undefined) return null;
  const { prefill, text, tokensPerSecond } = progress;
  return (
    <>
      {prefill !== undefined && (
        <>
          <p className="compare-note">{words.reading(prefill.done, prefill.total)}</p>
          <ProgressBar {...prefill} label={words.rowStates.running} />
        </>
      )}
      <p className="compare-words" dir="auto">
        {text}
      </p>
      {tokensPerSecond > 0 && <p className="compare-note">{formatSpeed(tokensPerSecond)}</p>}
    </>
  );
}

function Ended({ row: { state, text, error }, reference }: { row: ComparisonRow; reference: string | undefined }) {
  const words = strings.compare;
  const pieces = useMemo(
    () => (reference === undefined ? [{ text, differs: false }] : wordDiff(reference, text)),
    [reference, text],
  );
  if (error !== undefined) return <Problem error={error} />;
  if (text === '') return state === 'done' ? <p className="is-missing">{words.noText}</p> : null;
  const wordsOf = (piece: string) => piece.match(/\p{Script=Han}|[^\s\p{Script=Han}]+/gu)?.length ?? 0;
  const differing = pieces.reduce((sum, piece) => sum + (piece.differs ? wordsOf(piece.text) : 0), 0);
  return (
    <>
      <p className="compare-words" dir="auto">
        {pieces.map((piece, index) =>
          piece.differs ? (
            // biome-ignore lint/suspicious/noArrayIndexKey: pieces are known by their place
            <mark key={index}>{piece.text}</mark>
          ) : (
            piece.text
          ),
        )}
      </p>
      {reference !== undefined && state === 'done' && (
        <p className="compare-note" data-testid="compare-difference">
          {text === reference ? words.same : words.differing(differing, wordsOf(text))}
        </p>
      )}
    </>
  );
}
