/** The timeline: all threads and devices, the heads of one layer, or the stages of one head. */
import { useMemo, useState } from 'react';
import type { Trace } from '../../../../contract/trace.ts';
import { formatCount, formatMilliseconds } from '../../format.ts';
import { strings } from '../../strings.ts';
import { Choice } from '../../ui/choice.tsx';
import { Gantt } from './gantt.tsx';
import type { Cell } from './heat-map.tsx';
import { NumberSelect } from './number-select.tsx';
import { PassSelect } from './pass-select.tsx';
import { type Bar, headRows, laneRows, passesOf, stageRows } from './trace-model.ts';

const LEVELS = ['threads', 'layer', 'head'] as const;
type Level = (typeof LEVELS)[number];

interface TimelineProps {
  readonly trace: Trace;
  readonly bars: readonly Bar[];
  readonly cell: Cell;
  readonly onCell: (cell: Cell) => void;
}

export function TimelineSection({ trace, bars, cell, onCell }: TimelineProps) {
  const words = strings.pipeline;
  const passes = useMemo(() => passesOf(bars), [bars]);
  const [level, setLevel] = useState<Level>('threads');
  const [passIndex, setPass] = useState(Math.max(0, passes.length - 2));
  const pass = passes[passIndex];
  const { layer, head } = cell;
  const rows = useMemo(() => {
    const { head: headName, lane, stages } = strings.pipeline;
    if (level === 'threads' || pass === undefined) {
      return laneRows(bars, trace.lanes, ({ kind, name }) => lane(kind, name));
    }
    return level === 'layer'
      ? headRows(bars, trace, layer, pass, headName)
      : stageRows(bars, trace, layer, head, pass, (stage) => stages[stage]);
  }, [bars, trace, level, layer, head, pass]);
  const tell = ({ span, stage, heads }: Bar) =>
    words.bar({
      stage: words.stages[stage],
      ms: formatMilliseconds(span.end - span.start),
      from: formatMilliseconds(span.start),
      layer: span.layer >= trace.layers ? words.outputMatrix : words.layer(span.layer),
      heads: words.headList(heads),
      rows: span.rows === 0 ? '' : words.rows(span.position, span.position + span.rows - 1),
      kept: span.kept === 0 ? '' : words.keptKeys(formatCount(span.kept)),
    });
  return (
    <section className="pipeline-section">
      <h2>{words.timeline}</h2>
      <div className="resources-bar">
        <Choice
          label={words.level}
          value={level}
          options={LEVELS.map((value) => ({ value, label: words.levels[value] }))}
          onChange={setLevel}
        />
        {level !== 'threads' && (
          <>
            <NumberSelect
              label={words.layerLabel}
              count={trace.layers}
              value={layer}
              name={words.layer}
              onChange={(value) => onCell({ layer: value, head })}
            />
            {level === 'head' && (
              <NumberSelect
                label={words.headLabel}
                count={trace.heads}
                value={head}
                name={words.head}
                onChange={(value) => onCell({ layer, head: value })}
              />
            )}
            <PassSelect passes={passes} value={passIndex} onChange={setPass} />
          </>
        )}
      </div>
      <Gantt rows={rows} tell={tell} />
      <ul className="stage-legend">
        {(['linear', 'pilot', 'topk', 'sparse', 'dense'] as const).map((stage) => (
          <li key={stage}>
            <span className={`stage-mark is-stage-${stage}`} aria-hidden="true" />
            {words.stages[stage]}
          </li>
        ))}
      </ul>
      <p className="pipeline-note">{words.piecesNote}</p>
    </section>
  );
}
