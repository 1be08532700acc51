import type { DraftChannel } from '../../contract/drafts.ts';
import { AppError } from '../../contract/errors.ts';
import type { Handlers } from './router.ts';

/** Drafts and their attachments. */
export function draftHandlers(): Handlers<DraftChannel> {
  const later = () => {
    throw new AppError('internal', 'This is being built.');
  };
  return {
    'drafts.list': () => [],
    'drafts.set': () => undefined,
    'attachments.add': later,
    'attachments.drop': later,
    'attachments.retry': later,
    'attachments.remove': later,
  };
}
