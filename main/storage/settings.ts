/** The user's settings, one row per field, so that a value that became invalid costs only itself. */
import type { DatabaseSyncInstance } from '@photostructure/sqlite';
import * as v from 'valibot';
import { Settings } from '../../contract/settings.ts';
import { stored } from './failure.ts';
import { fromJson } from './json.ts';
import { transaction } from './transaction.ts';

export const DEFAULT_SETTINGS: Settings = {
  theme: 'system',
  language: 'system',
  attention: { mode: 'shadow', ratio: 0.07 },
  weights: 'fast',
  contextSizes: {},
  systemPrompt: '',
  temperature: 0.2,
  atLimit: 'ask',
  autoTitle: true,
  startWith: 'last-chat',
  closeToTray: false,
  welcomed: false,
  keptReadingGigabytes: 2,
  placement: { linear: 'auto', pilot: 'auto', decode: 'auto', avoidGpu: false, saveBattery: false },
};

export type SettingsChanges = { [K in keyof Settings]?: Settings[K] | undefined };

export class SettingsTable {
  readonly #db: DatabaseSyncInstance;

  constructor(db: DatabaseSyncInstance) {
    this.#db = db;
  }

  get(): Settings {
    const rows = stored('read your settings', () => this.#db.prepare('SELECT key, value FROM settings').all()) as {
      key: string;
      value: string;
    }[];
    let settings = DEFAULT_SETTINGS;
    for (const { key, value } of rows) {
      const next = v.safeParse(Settings, { ...settings, [key]: fromJson(value) });
      if (next.success) settings = next.output;
    }
    return settings;
  }

  /** Changes the fields that are there; one that is there as undefined goes back to its default. */
  set(changes: SettingsChanges): Settings {
    stored('save your settings', () =>
      transaction(this.#db, () => {
        for (const [key, value] of Object.entries(changes)) {
          if (value === undefined) this.#db.prepare('DELETE FROM settings WHERE key = ?').run(key);
          else
            this.#db
              .prepare(
                'INSERT INTO settings (key, value) VALUES (?, ?) ON CONFLICT DO UPDATE SET value = excluded.value',
              )
              .run(key, JSON.stringify(value));
        }
      }),
    );
    return this.get();
  }
}
