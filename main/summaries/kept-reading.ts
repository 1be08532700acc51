/** What the engine has kept of documents that it read: how much it takes, and that it goes when they do. */
import { PrefixFolder } from '../engine/session/prefix-folder.ts';
import type { Storage } from '../storage/storage.ts';

export class KeptReading {
  readonly #storage: Storage;
  readonly #own: PrefixFolder;
  /** That of the command line: its files are none of the app's documents. */
  readonly #others: PrefixFolder;

  constructor(storage: Storage, folders: { own: string; others: string }) {
    this.#storage = storage;
    this.#own = new PrefixFolder(folders.own);
    this.#others = new PrefixFolder(folders.others);
  }

  /** Bytes that are taken. */
  async bytes(): Promise<number> {
    return (await this.#own.bytes()) + (await this.#others.bytes());
  }

  async clear(): Promise<void> {
    await Promise.all([this.#own.clear(), this.#others.clear()]);
  }

  /** What was kept of a document, as it was read last. To be called before it is removed or read anew. */
  async forget(documentId: string): Promise<void> {
    const sha256 = this.#storage.documents.find(documentId)?.outline?.sha256;
    if (sha256 !== undefined) await this.#own.forget(sha256);
  }

  /** Removes what was kept of documents that are not here any more: the app may have ended before that was done. */
  async sweep(): Promise<void> {
    const here = this.#storage.documents.list().flatMap(({ outline }) => (outline ? [outline.sha256] : []));
    await this.#own.retain(here);
  }
}
