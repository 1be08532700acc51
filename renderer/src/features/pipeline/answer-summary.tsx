/** The answer that is shown: how it attended, how fast, and how the time of each lane is made up. */
import type { TracedAnswer } from '../../../../contract/engine.ts';
import { formatCount, formatMilliseconds, formatPercent, formatSeconds, formatSpeed } from '../../format.ts';
import { strings } from '../../strings.ts';
import { NumberTable } from '../../ui/number-table.tsx';
import { STAGE_TOKENS } from './stage-colours.ts';
import { type Bar, totalsOf } from './trace-model.ts';

export function AnswerSummary({ traced: { trace, figures }, bars }: { traced: TracedAnswer; bars: readonly Bar[] }) {
  const words = strings.pipeline;
  const { lanes } = trace;
  const facts = [
    figures.model,
    strings.figures.attention(figures.attention),
    words.tokens(formatCount(figures.promptTokens)),
    words.prefill(formatSeconds(figures.prefill.seconds), formatSpeed(figures.prefill.tokensPerSecond)),
    ...(figures.attention.pilotDevice === 'simulated' ? [words.simulated] : []),
  ];
  const prefillMs = 1000 * figures.prefill.seconds;
  return (
    <section className="pipeline-section">
      <p data-testid="trace-facts">{facts.join(' · ')}</p>
      {trace.dropped > 0 && <p className="is-missing">{words.dropped(formatCount(trace.dropped))}</p>}
      <NumberTable
        caption={words.totals}
        heads={[words.stage, ...lanes.map(({ kind, name }) => words.lane(kind, name))]}
        testId="stage-totals"
      >
        {totalsOf(bars, lanes).map(({ stage, ms }) => (
          <tr key={stage}>
            <th scope="row">
              <span className={`stage-mark is-${STAGE_TOKENS[stage]}`} aria-hidden="true" />
              {words.stages[stage]}
            </th>
            {lanes.map(({ lane }, index) => (
              <td key={lane} className="is-number">
                {(ms[index] ?? 0) > 0 ? formatMilliseconds(ms[index] ?? 0) : ''}
              </td>
            ))}
          </tr>
        ))}
        <tr>
          <th scope="row">{words.busy}</th>
          {lanes.map(({ lane, busyMs }) => (
            <td key={lane} className="is-number">
              {formatMilliseconds(busyMs)} ({formatPercent(Math.min(1, busyMs / prefillMs))})
            </td>
          ))}
        </tr>
      </NumberTable>
    </section>
  );
}
