/** The figures of a simulated prompt, and the plan of one of its layers. */
import type { AnswerFigures } from '../../../../contract/engine.ts';
import { STAGES, type Stage } from '../../../../contract/trace.ts';
import type { WhatIf } from '../../../../contract/what-if.ts';
import { formatMilliseconds } from '../../format.ts';
import { strings } from '../../strings.ts';
import { NumberTable } from '../../ui/number-table.tsx';
import { Gantt } from './gantt.tsx';
import type { Bar, BarRow } from './trace-model.ts';

interface ResultProps {
  readonly found: WhatIf;
  readonly layer: number;
  /** What each layer's heads took in the answer, [layers]. */
  readonly measured: readonly number[];
  readonly figures: AnswerFigures;
}

export function WhatIfResult({ found, layer, measured, figures }: ResultProps) {
  const words = strings.whatIf;
  const { total, allOn, allOff, dense, plan, layers } = found;
  const measuredMs = measured.reduce((sum, ms) => sum + ms, 0);
  const device = figures.attention.pilotDevice ?? '';
  const rows: [name: string, ms: number][] = [
    [words.total, total],
    [words.allOn, allOn],
    [words.allOff, allOff],
    ...(dense === undefined ? [] : [[words.dense, dense] as [string, number]]),
    [words.measured(device), measuredMs],
  ];
  return (
    <>
      <NumberTable caption={words.totals} heads={[words.what, words.time, words.gain]} testId="what-if-totals">
        {rows.map(([name, ms]) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            <td className="is-number">{formatMilliseconds(ms)}</td>
            <td className="is-number">{total > 0 ? words.times((ms / total).toFixed(2)) : ''}</td>
          </tr>
        ))}
      </NumberTable>
      <p className="pipeline-note">{words.sources(found.deviceSource, found.processorSource)}</p>
      <h3>{words.planOf(strings.pipeline.layer(layer), formatMilliseconds(plan.makespan))}</h3>
      <Gantt
        rows={rowsOf(found)}
        tell={({ span, stage, heads }) =>
          words.bar(
            strings.pipeline.stages[stage],
            strings.pipeline.headList(heads),
            formatMilliseconds(span.end - span.start),
          )
        }
      />
      <details>
        <summary>{words.byLayer}</summary>
        <table className="readings-table">
          <thead>
            <tr>
              <th scope="col">{strings.pipeline.layerLabel}</th>
              <th scope="col" className="is-number">
                {words.predicted}
              </th>
              <th scope="col" className="is-number">
                {words.measured(device)}
              </th>
            </tr>
          </thead>
          <tbody>
            {layers.map((ms, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a layer is its number
              <tr key={index}>
                <th scope="row">{strings.pipeline.layer(index)}</th>
                <td className="is-number">{formatMilliseconds(ms)}</td>
                <td className="is-number">{formatMilliseconds(measured[index] ?? 0)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </>
  );
}

/** The device and the processor's two stages, where gaps are waits; then a row for each head, in the order of the plan. */
function rowsOf({ plan: { heads } }: WhatIf): BarRow[] {
  const { stages, head: headName } = strings.pipeline;
  const launches = new Map<number, Bar>();
  const topk: Bar[] = [];
  const qkv: Bar[] = [];
  const own: BarRow[] = [];
  for (const { head, launch, ...times } of heads) {
    const fused = heads.filter((other) => other.launch === launch).map((other) => other.head);
    const pilot = barOf('pilot', fused, times.pilot);
    launches.set(launch, pilot);
    const both = [barOf('topk', [head], times.topk), barOf('sparse', [head], times.qkv)] as const;
    topk.push(both[0]);
    qkv.push(both[1]);
    own.push({ key: String(head), label: headName(head), bars: [pilot, ...both] });
  }
  return [
    { key: 'device', label: strings.whatIf.device, bars: [...launches.values()] },
    { key: 'topk', label: stages.topk, bars: topk },
    { key: 'qkv', label: stages.sparse, bars: qkv },
    ...own,
  ];
}

function barOf(stage: Stage, heads: readonly number[], { start, end }: { start: number; end: number }): Bar {
  const about = {
    lane: 0,
    layer: 0,
    head: heads[0] ?? 0,
    heads: heads.length,
    position: 0,
    rows: 0,
    kept: 0,
    bucket: 0,
  };
  return { stage, heads, span: { stage: STAGES.indexOf(stage), ...about, start, end } };
}
