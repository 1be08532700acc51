/** A comparison: how far it is, its figures as a table and as bars, and the answers side by side. */
import type { Comparison } from '../../../../contract/compare.ts';
import { formatCount, formatDate } from '../../format.ts';
import { useAppState } from '../../store/context.ts';
import { strings } from '../../strings.ts';
import { AnswerCards } from './answer-cards.tsx';
import { ComparisonBar } from './comparison-bar.tsx';
import { FigureBars } from './figure-bars.tsx';
import { FigureTable } from './figure-table.tsx';
import { Problem } from './problem.tsx';

const SIMULATED = 'simulated';

export function ComparisonView({ comparison }: { comparison: Comparison }) {
  const words = strings.compare;
  const progress = useAppState((state) => state.comparing[comparison.id]);
  const { rows, state, promptTokens, documentName = '', model, machine, createdAt, question, error } = comparison;
  const ended = rows.filter((row) => row.state !== 'waiting' && row.state !== 'running').length;
  const simulated = rows.some(
    ({ variant, figures }) => variant.attention.pilot === SIMULATED || figures?.attention.pilotDevice === SIMULATED,
  );
  return (
    <div className="comparison" data-testid="comparison" data-state={state}>
      <ComparisonBar comparison={comparison} status={words.state(state, ended, rows.length)} />
      <p className="compare-note">
        {[words.facts(formatCount(promptTokens), documentName), model, machine, formatDate(createdAt)].join(' · ')}
      </p>
      {comparison.cut !== undefined && <p className="compare-caution">{words.cut(comparison)}</p>}
      {simulated && <p className="compare-caution">{words.simulated}</p>}
      {error !== undefined && <Problem error={error} />}
      <FigureTable rows={rows} />
      <FigureBars rows={rows} />
      <AnswerCards rows={rows} progress={progress} />
      <details className="compare-question">
        <summary>{words.question}</summary>
        <p dir="auto">{question}</p>
      </details>
    </div>
  );
}
