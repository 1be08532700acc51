/** A curve: its chart, its points as a table, and how far it is. */
import type { Curve } from '../../../../contract/compare.ts';
import { formatCount, formatDate, formatSeconds, formatSpeed } from '../../format.ts';
import { useAppState } from '../../store/context.ts';
import { strings } from '../../strings.ts';
import { NumberTable } from '../../ui/number-table.tsx';
import { ProgressBar } from '../../ui/progress-bar.tsx';
import { ComparisonBar } from './comparison-bar.tsx';
import { CurveChart } from './curve-chart.tsx';
import { Problem } from './problem.tsx';

export function CurveView({ curve }: { curve: Curve }) {
  const words = strings.compare;
  const { state, points, lengths, ratio, model, machine, createdAt, error } = curve;
  return (
    <div className="comparison" data-testid="curve" data-state={state}>
      <ComparisonBar comparison={curve} status={words.state(state, points.length, 2 * lengths.length)} />
      <p className="compare-note">{[model, machine, formatDate(createdAt)].join(' · ')}</p>
      {error !== undefined && <Problem error={error} />}
      {state === 'running' && <Running curve={curve} />}
      {points.length > 0 && (
        <>
          <CurveChart curve={curve} />
          <NumberTable
            caption={words.curveTable}
            captionHidden
            heads={[words.attention, words.tokens, words.time, words.speed]}
            testId="curve-table"
          >
            {points.map(({ mode, tokens, seconds }) => (
              <tr key={`${mode} ${tokens}`}>
                <th scope="row">{words.curveMode(mode, ratio)}</th>
                <td className="is-number">{formatCount(tokens)}</td>
                <td className="is-number">{formatSeconds(seconds)}</td>
                <td className="is-number">{formatSpeed(tokens / seconds)}</td>
              </tr>
            ))}
          </NumberTable>
        </>
      )}
    </div>
  );
}

/** Tokens that were read, of all that the curve takes. */
function Running({ curve: { id, points, lengths, ratio } }: { curve: Curve }) {
  const words = strings.compare;
  const progress = useAppState((state) => state.comparing[id]);
  const total = 2 * lengths.reduce((sum, tokens) => sum + tokens, 0);
  const done = points.reduce((sum, { tokens }) => sum + tokens, 0);
  const mode = points.length % 2 === 0 ? 'full' : 'shadow';
  const tokens = lengths[Math.floor(points.length / 2)] ?? 0;
  return (
    <>
      <p className="compare-note">{words.measuring(words.curveMode(mode, ratio), tokens)}</p>
      <ProgressBar done={done + (progress?.prefill?.done ?? 0)} total={total} label={words.rowStates.running} />
    </>
  );
}
