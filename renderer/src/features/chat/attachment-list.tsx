/** Files of a question: what each is and how it stands; those of a draft can be taken off and tried again. */
import { useState } from 'react';
import type { Attachment } from '../../../../contract/drafts.ts';
import { formatBytes } from '../../format.ts';
import { useCommands } from '../../store/context.ts';
import { strings } from '../../strings.ts';
import { ErrorText } from '../../ui/error-text.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { CloseIcon, FileIcon, WarningIcon } from '../../ui/icons.tsx';
import { ProgressBar } from '../../ui/progress-bar.tsx';
import './attachments.css';

interface AttachmentListProps {
  readonly attachments: readonly Attachment[];
  /** Of a question that is not sent yet. */
  readonly draft?: boolean;
}

export function AttachmentList({ attachments, draft = false }: AttachmentListProps) {
  if (attachments.length === 0) return null;
  return (
    <ul className="attachments" aria-label={strings.attachments.label}>
      {attachments.map((attachment) => (
        <li
          key={attachment.id}
          className={`attachment is-${attachment.state}`}
          data-testid="attachment"
          data-state={attachment.state}
        >
          <Line attachment={attachment} draft={draft} />
          {attachment.state === 'reading' && attachment.progress !== undefined && (
            <ProgressBar {...attachment.progress} label={strings.attachments.reading(attachment.progress)} />
          )}
          {attachment.error !== undefined && <Problem attachment={attachment} error={attachment.error} draft={draft} />}
        </li>
      ))}
    </ul>
  );
}

function Line({ attachment, draft }: { attachment: Attachment; draft: boolean }) {
  const commands = useCommands();
  const { id, name, state, error } = attachment;
  return (
    <div className="attachment-line">
      {error === undefined ? <FileIcon size={16} /> : <WarningIcon size={16} />}
      <span className="attachment-name" title={name}>
        {name}
      </span>
      {state !== 'failed' && <span className="attachment-state">{stateWords(attachment)}</span>}
      {draft && (
        <IconButton
          label={strings.attachments.remove(name)}
          size="small"
          onClick={() => void commands.removeAttachment(id)}
        >
          <CloseIcon size={14} />
        </IconButton>
      )}
    </div>
  );
}

function stateWords({ state, progress, tokens, bytes }: Attachment): string {
  if (state === 'reading') return strings.attachments.reading(progress);
  return tokens === undefined ? formatBytes(bytes) : strings.attachments.tokens(tokens);
}

interface ProblemProps {
  readonly attachment: Attachment;
  readonly error: NonNullable<Attachment['error']>;
  readonly draft: boolean;
}

function Problem({ attachment: { id, name, state }, error, draft }: ProblemProps) {
  const commands = useCommands();
  const [password, setPassword] = useState('');
  const locked = error.kind === 'password-needed' || error.kind === 'password-wrong';
  return (
    <div className="attachment-problem">
      <ErrorText error={error} />
      {draft && state === 'failed' && (
        <form
          className="attachment-retry"
          onSubmit={(event) => {
            event.preventDefault();
            void commands.retryAttachment(id, locked ? password : undefined);
          }}
        >
          {locked && (
            <input
              type="password"
              className="text-field"
              aria-label={strings.attachments.password(name)}
              placeholder={strings.attachments.password(name)}
              autoComplete="off"
              maxLength={1000}
              value={password}
              onChange={(event) => setPassword(event.target.value)}
            />
          )}
          <button type="submit" className="button" disabled={locked && password === ''}>
            {strings.attachments.retry}
          </button>
        </form>
      )}
    </div>
  );
}
