/** Who did what in an answer, as a table: parts in the order of the work, each with its devices, launches and time. */
import type { Work } from '../../../../contract/engine.ts';
import { formatCount, formatMilliseconds } from '../../format.ts';
import { strings } from '../../strings.ts';

const ORDER: readonly Work['part'][] = ['linear', 'pilot', 'topk', 'sparse', 'dense', 'decode'];

export function AnswerWork({ work }: { work: readonly Work[] }) {
  const words = strings.figures.work;
  const rows = [...work].sort((a, b) => ORDER.indexOf(a.part) - ORDER.indexOf(b.part));
  return (
    <table className="footer-work" data-testid="answer-work">
      <caption>
        <strong>{words.title}</strong> {words.help}
      </caption>
      <thead>
        <tr>
          <th scope="col">{words.part}</th>
          <th scope="col">{words.device}</th>
          <th scope="col" className="is-number">
            {words.launches}
          </th>
          <th scope="col" className="is-number">
            {words.time}
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ part, device, launches, ms }) => (
          <tr key={`${part} ${device}`} data-part={part}>
            <th scope="row">{words.parts[part]}</th>
            <td title={device}>{strings.deviceWords(device)}</td>
            <td className="is-number">{formatCount(launches)}</td>
            <td className="is-number">{formatMilliseconds(ms)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
