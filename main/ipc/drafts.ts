import type { DraftChannel } from '../../contract/drafts.ts';
import type { Drafts } from '../chat/drafts.ts';
import type { Handlers } from './router.ts';

/** Drafts and their attachments. */
export function draftHandlers(drafts: Drafts): Handlers<DraftChannel> {
  return {
    'drafts.list': () => drafts.list(),
    'drafts.set': ({ chatId, text, by }) => drafts.setText(chatId, text, by),
    'attachments.add': ({ chatId }) => drafts.choose(chatId),
    'attachments.drop': ({ chatId, paths }) => drafts.attach(chatId, paths),
    'attachments.retry': ({ attachmentId, password }) => drafts.retry(attachmentId, password),
    'attachments.remove': ({ attachmentId }) => drafts.remove(attachmentId),
  };
}
