/** The figures of every way as a table. */
import { COMPARED_FIGURES, type ComparisonRow, comparedFigures } from '../../../../contract/compare.ts';
import { strings } from '../../strings.ts';
import { TableScroll } from '../../ui/table-scroll.tsx';
import { figureText, missingText, rowName, rowNote } from './figure-text.ts';

export function FigureTable({ rows }: { rows: readonly ComparisonRow[] }) {
  const words = strings.compare;
  return (
    <TableScroll label={words.table}>
      <table className="readings-table compare-table" data-testid="figure-table">
        <caption className="visually-hidden">{words.table}</caption>
        <thead>
          <tr>
            <th scope="col">{words.attention}</th>
            <th scope="col">{words.devices}</th>
            {COMPARED_FIGURES.map((key) => (
              <th key={key} scope="col" className="is-number" title={words.figureHelp[key]}>
                {words.figures[key]}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: rows are known by their place
            <Row key={index} row={row} first={index === 0} />
          ))}
        </tbody>
      </table>
    </TableScroll>
  );
}

function Row({ row, first }: { row: ComparisonRow; first: boolean }) {
  const words = strings.compare;
  const { figures, state } = row;
  const values = comparedFigures(row);
  const note = rowNote(row);
  return (
    <tr data-testid="figure-row" data-state={state}>
      <th scope="row">
        {rowName(row)}
        {note !== '' && <span className="compare-row-note">{note}</span>}
      </th>
      {figures === undefined ? (
        <td colSpan={COMPARED_FIGURES.length + 1} className="is-missing">
          {words.rowStates[state]}
        </td>
      ) : (
        <>
          <td>{devicesOf(figures)}</td>
          {COMPARED_FIGURES.map((key) => {
            const value = values[key];
            return (
              <td key={key} className={value === undefined ? 'is-number is-missing' : 'is-number'}>
                {value === undefined ? missingText(key, first) : figureText(key, value, row)}
              </td>
            );
          })}
        </>
      )}
    </tr>
  );
}

/** Devices that worked on the answer, each once. */
function devicesOf({ work = [], device }: NonNullable<ComparisonRow['figures']>): string {
  const names = new Set(work.map((entry) => strings.deviceWords(entry.device)));
  return names.size === 0 ? strings.deviceWords(device) : [...names].join(', ');
}
