/** Which keys were kept: by layer and head as a heat map, and by the words of the prompt. */
import { useState } from 'react';
import type { TracedAnswer } from '../../../../contract/engine.ts';
import { formatPercent } from '../../format.ts';
import { strings } from '../../strings.ts';
import { Choice } from '../../ui/choice.tsx';
import { type Cell, HeatMap } from './heat-map.tsx';
import { TokenView } from './token-view.tsx';

const WHOSE = ['all', 'layer', 'head'] as const;

interface KeptProps {
  readonly traced: TracedAnswer;
  readonly cell: Cell;
  readonly onCell: (cell: Cell) => void;
  /** A file has no text of the prompt. */
  readonly fromFile: boolean;
}

export function KeptSection({ traced: { trace }, cell, onCell, fromFile }: KeptProps) {
  const words = strings.pipeline;
  const { layers, heads, keptShare, plannedShare, importance } = trace;
  const measures =
    importance === undefined ? (['kept', 'planned'] as const) : (['kept', 'planned', 'importance'] as const);
  const [measure, setMeasure] = useState<(typeof measures)[number]>('kept');
  const [whose, setWhose] = useState<(typeof WHOSE)[number]>('all');
  const values = { kept: keptShare, planned: plannedShare, importance: importance ?? keptShare }[measure];
  const chose = keptShare.some((share) => !Number.isNaN(share));
  const asShare = measure !== 'importance';
  const format = (value: number) => (asShare ? formatPercent(value) : value.toExponential(1));
  const tell = ({ layer, head }: Cell) => {
    const index = layer * heads + head;
    const text = (list: Float32Array) => {
      const value = list[index] ?? Number.NaN;
      return Number.isNaN(value) ? words.allKeys : formatPercent(value);
    };
    const weight = importance?.[index];
    return words.cell(
      words.layer(layer),
      words.head(head),
      text(keptShare),
      text(plannedShare),
      weight === undefined ? '' : weight.toExponential(1),
    );
  };
  return (
    <>
      <section className="pipeline-section">
        <h2>{words.keptTitle}</h2>
        {chose || measure === 'importance' ? (
          <>
            <Choice
              label={words.measure}
              value={measure}
              options={measures.map((value) => ({ value, label: words.measures[value] }))}
              onChange={setMeasure}
            />
            <HeatMap
              layers={layers}
              heads={heads}
              values={values}
              chosen={cell}
              onChoose={onCell}
              tell={tell}
              format={format}
            />
          </>
        ) : (
          <p className="is-missing">{words.keepsAll}</p>
        )}
      </section>
      {chose && !fromFile && (
        <section className="pipeline-section">
          <h2>{words.tokensTitle}</h2>
          <Choice
            label={words.whose}
            value={whose}
            options={WHOSE.map((value) => ({ value, label: words.whoseOf(value, cell.layer, cell.head) }))}
            onChange={setWhose}
          />
          <TokenView
            request={trace.request}
            selection={{ layer: whose === 'all' ? null : cell.layer, head: whose === 'head' ? cell.head : null }}
          />
        </section>
      )}
    </>
  );
}
