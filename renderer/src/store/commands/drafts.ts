/** Questions that are not sent yet: their texts and files, kept by main for all windows. */
import type { AppEvent } from '../../../../contract/channels.ts';
import type { Attachment } from '../../../../contract/drafts.ts';
import { chatOfDraft, draftKey, NEW_CHAT } from '../state.ts';
import type { Talk } from './talk.ts';

/** A text is saved once typing pauses for so many milliseconds. */
const SAVE_MS = 400;

export type DraftCommands = ReturnType<typeof createDraftCommands>;

export function createDraftCommands({ store, api, report, guarded }: Talk) {
  /** Names this window in what it tells main. */
  const by = crypto.randomUUID();
  /** Drafts that main does not have in their present form. */
  const unsaved = new Map<string, ReturnType<typeof setTimeout>>();

  function save(key: string): void {
    clearTimeout(unsaved.get(key));
    unsaved.delete(key);
    const text = store.get().drafts[key] ?? '';
    api.ask('drafts.set', { chatId: chatOfDraft(key), text, by }).catch(report);
  }

  function showFiles(key: string, attachments: readonly Attachment[] | undefined): void {
    if (attachments !== undefined) store.dispatch({ type: 'attachments', key, attachments });
  }

  return {
    /** Changes the text of a draft, of the open chat's where no other is named. */
    setDraft(text: string, key = draftKey(store.get())): void {
      store.dispatch({ type: 'draft', key, text });
      clearTimeout(unsaved.get(key));
      unsaved.set(
        key,
        setTimeout(() => save(key), SAVE_MS),
      );
    },

    /** Empties a draft that is being sent: main does the same once it has the question. */
    takeDraft(key: string): { text: string; attachments: readonly Attachment[] } {
      const { drafts, attachments } = store.get();
      clearTimeout(unsaved.get(key));
      unsaved.delete(key);
      const taken = { text: drafts[key] ?? '', attachments: attachments[key] ?? [] };
      store.dispatch({ type: 'draft', key, text: '' });
      showFiles(key, []);
      return taken;
    },

    /** Saves now what was typed: the window closes. */
    saveDrafts(): void {
      for (const key of [...unsaved.keys()]) save(key);
    },

    /** Whether another's word about a draft goes before what this window has: not while one types here. */
    acceptsDraft(event: Extract<AppEvent, { type: 'draft' }>): boolean {
      return event.by !== by && !unsaved.has(event.chatId ?? NEW_CHAT);
    },

    /** Lets the user choose files in main's dialog. */
    async chooseFiles(): Promise<void> {
      const key = draftKey(store.get());
      showFiles(key, await guarded(() => api.ask('attachments.add', { chatId: chatOfDraft(key) })));
    },

    /** Attaches files that were dropped or pasted. */
    async attachFiles(files: readonly File[]): Promise<void> {
      const key = draftKey(store.get());
      if (files.length > 0) showFiles(key, await guarded(() => api.attach(chatOfDraft(key), files)));
    },

    async retryAttachment(attachmentId: string, password?: string): Promise<void> {
      await guarded(() =>
        api.ask('attachments.retry', { attachmentId, ...(password === undefined ? {} : { password }) }),
      );
    },

    /** Takes a file off the open chat's draft. */
    async removeAttachment(attachmentId: string): Promise<void> {
      const key = draftKey(store.get());
      const before = store.get().attachments[key] ?? [];
      showFiles(
        key,
        before.filter(({ id }) => id !== attachmentId),
      );
      await guarded(() => api.ask('attachments.remove', { attachmentId }));
    },
  };
}
