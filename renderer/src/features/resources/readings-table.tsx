/** All readings as a table: for screen readers, for high contrast, and for who wants numbers. */
import type { Sample } from '../../../../contract/resources.ts';
import { strings } from '../../strings.ts';
import { NumberTable } from '../../ui/number-table.tsx';
import { readingsOf, summary } from './readings.ts';

export function ReadingsTable({ samples }: { samples: readonly Sample[] }) {
  const words = strings.resources;
  const latest = samples.at(-1);
  return (
    <NumberTable
      caption={words.tableCaption}
      captionHidden
      heads={[words.reading, words.now, words.least, words.mean, words.most]}
      testId="readings-table"
    >
      {readingsOf(latest).flatMap(({ key, title, lines, format }) =>
        lines.map((line) => {
          const over = summary(samples, line);
          const now = latest === undefined ? null : line.value(latest);
          return (
            <tr key={`${key} ${line.name}`}>
              <th scope="row">
                {title}: {line.name}
              </th>
              {over === null ? (
                <td colSpan={4} className="is-missing">
                  {words.notReported}
                </td>
              ) : (
                [now, over.least, over.mean, over.most].map((value, index) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: four columns that never move
                  <td key={index} className="is-number">
                    {value === null ? words.notReported : format(value)}
                  </td>
                ))
              )}
            </tr>
          );
        }),
      )}
    </NumberTable>
  );
}
