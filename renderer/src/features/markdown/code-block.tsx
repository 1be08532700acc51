/** A block of code with its language and a button that copies it. */
import { memo, useMemo } from 'react';
import { strings } from '../../strings.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { type LazyPart, useLazyPart } from '../../ui/lazy-part.ts';
import { type Piece, plainLines } from './code-lines.ts';
import type { FencedCode } from './fence.ts';
import { Near } from './near.tsx';

/** Colouring costs more than drawing: code that still grows waits for its end beyond this, a huge one stays plain. */
const COLOUR_WHILE_GROWING = 8_000;
const COLOUR_AT_ALL = 200_000;
/** Lines that come into and go out of the page together, and the height of one in CSS pixels. */
const PART_LINES = 80;
const LINE_HEIGHT = 20;

const highlighter: LazyPart<typeof import('./highlight.ts')> = { load: () => import('./highlight.ts') };

export const CodeBlock = memo(function CodeBlock({ code, language, growing }: FencedCode & { growing: boolean }) {
  const highlight = useLazyPart(highlighter);
  const coloured = code.length <= (growing ? COLOUR_WHILE_GROWING : COLOUR_AT_ALL);
  const lines = useMemo(
    () => (coloured ? highlight?.colouredLines(code, language) : undefined) ?? plainLines(code),
    [code, language, coloured, highlight],
  );
  const parts = Array.from({ length: Math.ceil(lines.length / PART_LINES) }, (_, index) =>
    lines.slice(index * PART_LINES, (index + 1) * PART_LINES),
  );
  return (
    <figure className="code" dir="ltr">
      <figcaption className="code-bar">
        <span>{language ?? strings.code.plain}</span>
        <CopyButton text={() => code} label={strings.code.copy} done={strings.code.copied} />
      </figcaption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard */}
      <pre className="code-text" tabIndex={0}>
        <code>
          {parts.map((part, index) => (
            <Near
              // biome-ignore lint/suspicious/noArrayIndexKey: lines are only ever added at the end
              key={index}
              estimate={() => part.length * LINE_HEIGHT}
              first={parts.length === 1 || (growing && index >= parts.length - 2)}
            >
              <Part lines={part} />
            </Near>
          ))}
        </code>
      </pre>
    </figure>
  );
});

interface PartProps {
  readonly lines: readonly (readonly Piece[])[];
}

const Part = memo(
  function Part({ lines }: PartProps) {
    return lines.map((pieces, index) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: a line has no other name than its place
      <span key={index} className="code-line">
        {pieces.map(({ text, className }, place) =>
          className === undefined ? (
            text
          ) : (
            // biome-ignore lint/suspicious/noArrayIndexKey: see above
            <span key={place} className={className}>
              {text}
            </span>
          ),
        )}
        {'\n'}
      </span>
    ));
  },
  (before, after) =>
    before.lines.length === after.lines.length &&
    before.lines.every((line, index) => sameLine(line, after.lines[index] ?? [])),
);

function sameLine(before: readonly Piece[], after: readonly Piece[]): boolean {
  return (
    before.length === after.length &&
    before.every(({ text, className }, index) => text === after[index]?.text && className === after[index]?.className)
  );
}
