/** Short messages at the edge: what failed and what to do, and the chance to undo a deletion. */

import { useAppState, useCommands } from '../store/context.ts';
import type { Notice } from '../store/state.ts';
import { strings } from '../strings.ts';
import { ErrorText } from './error-text.tsx';
import { IconButton } from './icon-button.tsx';
import { CloseIcon, WarningIcon } from './icons.tsx';
import './notices.css';

export function Notices() {
  const notices = useAppState((state) => state.notices);
  return (
    <section className="notices" aria-label={strings.notices.label} aria-live="polite">
      {notices.map((notice) => (
        <NoticeCard key={notice.id} notice={notice} />
      ))}
    </section>
  );
}

function NoticeCard({ notice: { id, error, removed, text } }: { notice: Notice }) {
  const commands = useCommands();
  return (
    <div className="notice" {...(error === undefined ? {} : { 'data-testid': 'error-notice' })}>
      {error !== undefined && (
        <>
          <span className="notice-mark">
            <WarningIcon size={18} />
          </span>
          <ErrorText error={error} />
        </>
      )}
      {text !== undefined && <p className="notice-text">{text}</p>}
      {removed !== undefined && (
        <>
          <p className="notice-text">{strings.chats.removed(removed)}</p>
          <button
            type="button"
            className="button"
            onClick={() => {
              void commands.restoreChats(removed.map((chat) => chat.id));
              commands.dismiss(id);
            }}
          >
            {strings.chats.undo}
          </button>
        </>
      )}
      <IconButton label={strings.notices.close} size="small" onClick={() => commands.dismiss(id)}>
        <CloseIcon size={16} />
      </IconButton>
    </div>
  );
}
