/** A table of figures: what they are of stands at the beginning of each row, a number in every other column. */
import type { ReactNode } from 'react';
import { TableScroll } from './table-scroll.tsx';

interface NumberTableProps {
  readonly caption: string;
  /** The caption is for screen readers alone, where a heading says the same. */
  readonly captionHidden?: boolean;
  /** Of the columns: what the rows are, then the numbers. */
  readonly heads: readonly [of: string, ...numbers: string[]];
  readonly testId: string;
  /** Rows. */
  readonly children: ReactNode;
}

export function NumberTable({ caption, captionHidden = false, heads, testId, children }: NumberTableProps) {
  return (
    <TableScroll label={caption}>
      <table className="readings-table" data-testid={testId}>
        <caption className={captionHidden ? 'visually-hidden' : undefined}>{caption}</caption>
        <thead>
          <tr>
            {heads.map((head, column) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: two devices may have one name, and columns never move
              <th key={column} scope="col" className={column === 0 ? undefined : 'is-number'}>
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </TableScroll>
  );
}
