/** A question, as it was written. A very long one is folded. */
import { memo, useState } from 'react';
import type { Message } from '../../../../contract/messages.ts';
import { strings } from '../../strings.ts';

const FOLD_LINES = 14;
const FOLD_CHARACTERS = 1_600;

export const UserMessage = memo(function UserMessage({ message }: { message: Message }) {
  const [open, setOpen] = useState(false);
  const folded = fold(message.text);
  return (
    <article className="question" data-testid="message-user" aria-label={strings.messages.you}>
      <div className="question-text" dir="auto">
        {open || folded === undefined ? message.text : `${folded} …`}
      </div>
      {folded !== undefined && (
        <button type="button" className="link-button" aria-expanded={open} onClick={() => setOpen(!open)}>
          {open ? strings.messages.showLess : strings.messages.showAll}
        </button>
      )}
    </article>
  );
});

/** The beginning of a long text, or undefined where it is short enough to be shown as it is. */
function fold(text: string): string | undefined {
  let end = 0;
  for (let lines = 0; lines < FOLD_LINES; lines += 1) {
    const next = text.indexOf('\n', end);
    if (next < 0) {
      end = text.length;
      break;
    }
    end = next + 1;
  }
  end = Math.min(end, FOLD_CHARACTERS);
  // A little more than the fold is not worth a button.
  return text.length - end > FOLD_CHARACTERS / 4 ? text.slice(0, end).trimEnd() : undefined;
}
