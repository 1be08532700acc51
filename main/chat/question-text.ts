/** What the model gets of a question: its text and that of its attachments. */
import type { Message } from '../../contract/messages.ts';
import type { Storage } from '../storage/storage.ts';
import { withFiles } from './turns.ts';

type Storing = Pick<Storage, 'attachments'>;

export function questionText(storage: Storing, { text, attachments = [] }: Message): string {
  return withFiles(text, filesOf(storage, attachments));
}

export function filesOf(
  storage: Storing,
  attachments: readonly { id: string; name: string }[],
): { name: string; text: string }[] {
  return attachments.map(({ id, name }) => ({ name, text: storage.attachments.text(id) }));
}
