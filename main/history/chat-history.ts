/** What happens to chats as wholes: made, changed, deleted, brought back. Tells the windows of it. */
import type { AppEvent } from '../../contract/channels.ts';
import type { Chat, Folder } from '../../contract/chats.ts';
import type { ChatChanges } from '../storage/chats.ts';
import type { Storage } from '../storage/storage.ts';

/** A deleted chat can be brought back for this long, in milliseconds. */
const KEPT_MS = 30 * 24 * 3600_000;

export interface ChatHistoryOptions {
  storage: Storage;
  emit: (event: AppEvent) => void;
  /** Ends answers of these chats that wait or stream. */
  stopAnswers: (chatIds: readonly string[]) => void;
}

export class ChatHistory {
  readonly #options: ChatHistoryOptions;

  constructor(options: ChatHistoryOptions) {
    this.#options = options;
  }

  create(folderId: string | null): Chat {
    const { storage, emit } = this.#options;
    const chat = storage.chats.create(folderId === null ? {} : { folderId });
    emit({ type: 'chat', chat });
    return chat;
  }

  change(chatId: string, changes: ChatChanges): Chat {
    const chat = this.#options.storage.chats.change(chatId, changes);
    this.#options.emit({ type: 'chat', chat });
    return chat;
  }

  remove(chatIds: readonly string[]): void {
    this.#options.storage.chats.remove(chatIds);
    this.#gone(chatIds);
  }

  restore(chatIds: readonly string[]): void {
    const { storage, emit } = this.#options;
    storage.chats.restore(chatIds);
    for (const chatId of chatIds) {
      const chat = storage.chats.find(chatId);
      if (chat) emit({ type: 'chat', chat });
    }
  }

  erase(chatIds: readonly string[]): void {
    this.#options.storage.chats.erase(chatIds);
    this.#gone(chatIds);
  }

  /** Erases what was deleted long ago. Returns how many chats that were. */
  sweep(now: number = Date.now()): number {
    const { chats } = this.#options.storage;
    const old = chats.removed().filter(({ removedAt = now }) => now - removedAt > KEPT_MS);
    chats.erase(old.map(({ id }) => id));
    return old.length;
  }

  createFolder(name: string): Folder {
    const folder = this.#options.storage.folders.create(name);
    this.#foldersChanged();
    return folder;
  }

  renameFolder(folderId: string, name: string): Folder {
    const folder = this.#options.storage.folders.rename(folderId, name);
    this.#foldersChanged();
    return folder;
  }

  removeFolder(folderId: string): void {
    const { storage, emit } = this.#options;
    storage.folders.remove(folderId);
    this.#foldersChanged();
    // Its chats have no folder any more.
    emit({ type: 'chats-changed' });
  }

  #gone(chatIds: readonly string[]): void {
    this.#options.stopAnswers(chatIds);
    this.#options.emit({ type: 'chats-removed', chatIds: [...chatIds] });
  }

  #foldersChanged(): void {
    this.#options.emit({ type: 'folders', folders: this.#options.storage.folders.list() });
  }
}
