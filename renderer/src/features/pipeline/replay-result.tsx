/** Both runs of a prompt: their times, measured and reckoned, and one layer of both on one axis. */
import { useMemo, useState } from 'react';
import type { Replay } from '../../../../contract/engine.ts';
import { formatMilliseconds } from '../../format.ts';
import { strings } from '../../strings.ts';
import { NumberTable } from '../../ui/number-table.tsx';
import { Gantt } from './gantt.tsx';
import { NumberSelect } from './number-select.tsx';
import { PassSelect } from './pass-select.tsx';
import { type Bar, type BarRow, barsOf, layerRows, layerTimes, type Pass, passesOf } from './trace-model.ts';

const RUNS = ['planned', 'unplanned'] as const;

interface ResultProps {
  readonly replay: Replay;
  readonly layer: number;
  readonly onLayer: (layer: number) => void;
}

export function ReplayResult({ replay, layer, onLayer }: ResultProps) {
  const words = strings.replay;
  const pipeline = strings.pipeline;
  const { planned, unplanned } = replay;
  const bars = useMemo(
    () => ({ planned: barsOf(planned.trace), unplanned: barsOf(unplanned.trace) }),
    [planned, unplanned],
  );
  const passes = useMemo(() => sharedPasses(passesOf(bars.planned), passesOf(bars.unplanned)), [bars]);
  const [passIndex, setPass] = useState(Math.max(0, passes.length - 2));
  const pass = passes[passIndex];
  const attention = (run: (typeof RUNS)[number]) =>
    layerTimes(bars[run], replay[run].trace, passes).reduce((sum, ms) => sum + ms, 0);
  const rows: [name: string, planned: number, unplanned: number][] = [
    [words.attention, attention('planned'), attention('unplanned')],
    [words.prompt, 1000 * planned.figures.prefill.seconds, 1000 * unplanned.figures.prefill.seconds],
    [words.predicted, planned.predictedMs, unplanned.predictedMs],
  ];
  const drawn = useMemo(() => {
    if (pass === undefined) return [];
    const { runs } = strings.replay;
    return RUNS.flatMap((run): BarRow[] => [
      { key: run, label: runs[run], heading: true, bars: [] },
      ...layerRows(bars[run], replay[run].trace.lanes, layer, pass, ({ kind, name }) =>
        strings.pipeline.lane(kind, name),
      ),
    ]);
  }, [bars, replay, layer, pass]);
  // With few keys every row keeps all of them, and nothing is launched.
  if (!planned.trace.lanes.some(({ kind }) => kind === 'pilot')) return <p className="is-missing">{words.tooShort}</p>;
  const problem = planned.figures.attention.pilotProblem ?? unplanned.figures.attention.pilotProblem;
  return (
    <>
      {problem !== undefined && <p className="is-missing">{problem}</p>}
      <p className="simulation-note" data-testid="replay-device">
        {words.ranOn(planned.figures.attention.pilotDevice ?? '')}
      </p>
      <NumberTable
        caption={words.totals}
        heads={[strings.whatIf.what, ...RUNS.map((run) => words.runs[run]), words.gain]}
        testId="replay-totals"
      >
        {rows.map(([name, on, off]) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            <td className="is-number">{formatMilliseconds(on)}</td>
            <td className="is-number">{formatMilliseconds(off)}</td>
            <td className="is-number">{on > 0 ? strings.whatIf.times((off / on).toFixed(2)) : ''}</td>
          </tr>
        ))}
      </NumberTable>
      <div className="resources-bar">
        <NumberSelect
          label={pipeline.layerLabel}
          count={planned.trace.layers}
          value={layer}
          name={pipeline.layer}
          onChange={onLayer}
        />
        <PassSelect passes={passes} value={passIndex} onChange={setPass} />
      </div>
      <Gantt rows={drawn} tell={tell} />
    </>
  );
}

/** A long prompt has more spans than are kept: the passes that both runs still have. */
function sharedPasses(a: readonly Pass[], b: readonly Pass[]): Pass[] {
  return a.filter(({ position }) => b.some((other) => other.position === position));
}

function tell({ span, stage, heads }: Bar): string {
  const { stages, headList } = strings.pipeline;
  return strings.replay.bar(
    stages[stage],
    headList(heads),
    formatMilliseconds(span.end - span.start),
    formatMilliseconds(span.start),
  );
}
