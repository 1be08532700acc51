/** Folders of chats, in the order in which they were made. */
import { randomUUID } from 'node:crypto';
import type { DatabaseSyncInstance } from '@photostructure/sqlite';
import type { Folder } from '../../contract/chats.ts';
import { AppError } from '../../contract/errors.ts';
import { stored } from './failure.ts';

export class FolderTable {
  readonly #db: DatabaseSyncInstance;

  constructor(db: DatabaseSyncInstance) {
    this.#db = db;
  }

  list(): Folder[] {
    return stored(
      'read your folders',
      () => this.#db.prepare('SELECT id, name FROM folders ORDER BY seq').all() as Folder[],
    );
  }

  create(name: string): Folder {
    const folder: Folder = { id: randomUUID(), name };
    stored('save the folder', () =>
      this.#db.prepare('INSERT INTO folders (id, name) VALUES (?, ?)').run(folder.id, folder.name),
    );
    return folder;
  }

  /** Throws AppError('bad-input') where there is no such folder. */
  rename(folderId: string, name: string): Folder {
    const { changes } = stored('rename the folder', () =>
      this.#db.prepare('UPDATE folders SET name = ? WHERE id = ?').run(name, folderId),
    );
    if (Number(changes) === 0) {
      throw new AppError('bad-input', 'This folder does not exist any more.', { action: 'Choose another folder.' });
    }
    return { id: folderId, name };
  }

  /** Its chats stay, outside of any folder. Removing what is gone is no error. */
  remove(folderId: string): void {
    stored('delete the folder', () => this.#db.prepare('DELETE FROM folders WHERE id = ?').run(folderId));
  }
}
