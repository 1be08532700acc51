/** What every part of the app is made from. */
import path from 'node:path';
import type { Language } from '../../contract/language.ts';
import type { MainWords } from '../app/words.ts';
import type { SerialQueue } from '../chat/serial-queue.ts';
import { dataDir } from '../data-dir.mjs';
import type { Storage } from '../storage/storage.ts';
import type { Log } from '../support/logger.ts';

export interface Base {
  readonly storage: Storage;
  readonly log: Log;
  readonly language: () => Language;
  /** Main's own words in the language of the window. */
  readonly words: () => MainWords;
  /** What the engine is asked, one request after another. */
  readonly queue: SerialQueue;
  /** Folder of the bundles, outside the archive of a package. */
  readonly dist: string;
  /** This user's chats, settings and logs; models and what is made from them lie in `folders`. */
  readonly userData: string;
  readonly folders: DataFolders;
}

export type DataFolders = ReturnType<typeof dataFolders>;

/** Folders that the app and the command line share. */
export function dataFolders() {
  const data = dataDir();
  return {
    models: path.join(data, 'models'),
    bundles: path.join(data, 'bundles'),
    profiles: path.join(data, 'profiles'),
    selfTests: path.join(data, 'devices'),
    ocr: path.join(data, 'ocr'),
    prefixes: { own: path.join(data, 'prefixes', 'app'), others: path.join(data, 'prefixes', 'cli') },
  };
}
