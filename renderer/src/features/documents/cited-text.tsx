/** Text of a summary or answer: each point is followed by the pages that it comes from. */
import { Fragment } from 'react';
import type { Citation, CitedPoint } from '../../../../contract/summaries.ts';
import { strings } from '../../strings.ts';

interface CitedTextProps {
  readonly text: string;
  readonly points: readonly CitedPoint[];
  readonly onCite: (citation: Citation) => void;
}

export function CitedText({ text, points, onCite }: CitedTextProps) {
  return (
    <div className="cited" dir="auto">
      {piecesOf(text, points).map(({ words, point }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of a text have nothing but their order
        <Fragment key={index}>
          <Words text={words} />
          {point?.citations.map((citation) => {
            const label = citation.label ?? String(citation.page);
            return (
              <button
                key={`${citation.documentId} ${citation.page} ${citation.range?.[0] ?? ''}`}
                type="button"
                className="cite"
                data-testid="citation"
                aria-label={strings.documents.summary.citeLabel(label, point.text)}
                onClick={() => onCite(citation)}
              >
                {strings.documents.summary.cite(label)}
              </button>
            );
          })}
        </Fragment>
      ))}
    </div>
  );
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
