/** A question, as it was written. A very long one is folded. */
import { memo, useState } from 'react';
import type { Message } from '../../../../contract/messages.ts';
import { useAppState } from '../../store/context.ts';
import { readiness } from '../../store/state.ts';
import { strings } from '../../strings.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { PencilIcon } from '../../ui/icons.tsx';
import { AttachmentList } from './attachment-list.tsx';
import { BranchSwitch } from './branch-switch.tsx';
import { QuestionEditor } from './question-editor.tsx';

const FOLD_LINES = 14;
const FOLD_CHARACTERS = 1_600;

interface UserMessageProps {
  readonly message: Message;
  /** All of it is shown, since something in it is looked for. */
  readonly unfolded: boolean;
}

export const UserMessage = memo(function UserMessage({ message, unfolded }: UserMessageProps) {
  const [open, setOpen] = useState(false);
  const [editing, setEditing] = useState(false);
  const answerable = useAppState((state) => readiness(state.engine) !== 'never');
  const folded = unfolded ? undefined : fold(message.text);
  return (
    <article
      className={`question${editing ? ' is-editing' : ''}`}
      data-testid="message-user"
      tabIndex={-1}
      aria-label={strings.messages.you}
    >
      {editing ? (
        <QuestionEditor message={message} onClose={() => setEditing(false)} />
      ) : (
        <>
          <div className="question-box">
            <AttachmentList attachments={message.attachments ?? []} />
            {message.text !== '' && (
              <div className="question-text" dir="auto">
                {open || folded === undefined ? message.text : `${folded} …`}
              </div>
            )}
            {folded !== undefined && (
              <button type="button" className="link-button" aria-expanded={open} onClick={() => setOpen(!open)}>
                {open ? strings.messages.showLess : strings.messages.showAll}
              </button>
            )}
          </div>
          <div className="message-tools">
            <BranchSwitch message={message} />
            <CopyButton
              text={() => message.text}
              label={strings.messages.copyQuestion}
              done={strings.messages.copied}
              action="copy"
            />
            <IconButton
              label={strings.messages.edit}
              size="small"
              disabled={!answerable}
              data-action="edit"
              onClick={() => setEditing(true)}
            >
              <PencilIcon size={16} />
            </IconButton>
          </div>
        </>
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
