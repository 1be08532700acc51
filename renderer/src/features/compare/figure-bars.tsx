/** The figures of every way as bars, one chart for each figure that was measured. */
import {
  COMPARED_FIGURES,
  type ComparedFigure,
  type ComparisonRow,
  comparedFigures,
} from '../../../../contract/compare.ts';
import { strings } from '../../strings.ts';
import '../resources/resources.css';
import { figureText, rowName } from './figure-text.ts';

export function FigureBars({ rows }: { rows: readonly ComparisonRow[] }) {
  const done = rows.filter(({ state }) => state === 'done');
  const measured = COMPARED_FIGURES.filter((key) => done.some((row) => comparedFigures(row)[key] !== undefined));
  return (
    <div className="resource-grid" data-testid="figure-bars">
      {measured.map((key) => (
        <Bars key={key} figure={key} rows={done} />
      ))}
    </div>
  );
}

function Bars({ figure, rows }: { figure: ComparedFigure; rows: readonly ComparisonRow[] }) {
  const words = strings.compare;
  const most = figure === 'top1' ? 1 : Math.max(...rows.map((row) => comparedFigures(row)[figure] ?? 0));
  return (
    <section className="resource-card">
      <h2>{words.figures[figure]}</h2>
      <p className="compare-help">{words.figureHelp[figure]}</p>
      <ul className="bars compare-bars">
        {rows.map((row, index) => {
          const value = comparedFigures(row)[figure];
          if (value === undefined) return null;
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: rows are known by their place
            <li key={index}>
              <span className="bars-name">{rowName(row)}</span>
              <span className="bars-value">{figureText(figure, value, row)}</span>
              <span className="bars-track" aria-hidden="true">
                <span className="bars-fill" style={{ '--share': most > 0 ? value / most : 0 } as React.CSSProperties} />
              </span>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
