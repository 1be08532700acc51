/** Text of a summary or answer: each point is followed by the pages that it comes from. */
import { Fragment } from 'react';
import type { Citation, CitedPoint } from '../../../../contract/summaries.ts';
import { useAppState } from '../../store/context.ts';
import { strings } from '../../strings.ts';

interface CitedTextProps {
  readonly text: string;
  readonly points: readonly CitedPoint[];
  readonly onCite: (citation: Citation) => void;
}

export function CitedText({ text, points, onCite }: CitedTextProps) {
  const documents = useAppState((state) => state.documents);
  return (
    <div className="cited" dir="auto">
      {piecesOf(text, points).map(({ words, point }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of a text have nothing but their order
        <Fragment key={index}>
          <Words text={words} />
          {onePerPlace(point?.citations ?? []).map((citation) => {
            const label = labelOf(citation);
            const unit = documents?.find(({ id }) => id === citation.documentId)?.unit ?? 'page';
            return (
              <button
                key={`${citation.documentId} ${citation.page} ${citation.range?.[0] ?? ''}`}
                type="button"
                className="cite"
                data-testid="citation"
                aria-label={strings.documents.summary.citeLabel(label, unit, point?.text ?? '')}
                onClick={() => onCite(citation)}
              >
                {strings.documents.summary.cite(label, unit)}
              </button>
            );
          })}
        </Fragment>
      ))}
    </div>
  );
}

const labelOf = ({ label, page }: Citation) => label ?? String(page);

/** Two places on one page look the same: the better one is enough. */
function onePerPlace(citations: readonly Citation[]): readonly Citation[] {
  const same = (a: Citation, b: Citation) => a.documentId === b.documentId && labelOf(a) === labelOf(b);
  return citations.filter((citation, index) => citations.findIndex((other) => same(citation, other)) === index);
}

/** Headings of a summary by section; other lines as they are. */
function Words({ text }: { text: string }) {
  return text.split(/(^#{1,4} .*$)/m).map((part, index) => {
    const heading = /^#{1,4} (.*)$/.exec(part)?.[1];
    // biome-ignore lint/suspicious/noArrayIndexKey: see above
    return heading === undefined ? part : <strong key={index}>{heading}</strong>;
  });
}

interface Piece {
  readonly words: string;
  readonly point?: CitedPoint;
}

function piecesOf(text: string, points: readonly CitedPoint[]): readonly Piece[] {
  const pieces: Piece[] = [];
  let from = 0;
  for (const point of points) {
    const at = text.indexOf(point.text, from);
    if (at < 0) continue;
    pieces.push({ words: text.slice(from, at + point.text.length), point });
    from = at + point.text.length;
  }
  return [...pieces, { words: text.slice(from) }];
}
