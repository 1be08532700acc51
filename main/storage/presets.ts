/** The user's own presets. */
import { randomUUID } from 'node:crypto';
import type { DatabaseSyncInstance } from '@photostructure/sqlite';
import * as v from 'valibot';
import { AppError } from '../../contract/errors.ts';
import { Preset } from '../../contract/presets.ts';
import { stored } from './failure.ts';
import { fromJson, toJson } from './json.ts';

interface PresetRow {
  id: string;
  name: string;
  system_prompt: string | null;
  sampling: string | null;
}

export type PresetContent = Pick<Preset, 'name' | 'systemPrompt' | 'sampling'>;

export class PresetTable {
  readonly #db: DatabaseSyncInstance;

  constructor(db: DatabaseSyncInstance) {
    this.#db = db;
  }

  /** By name. */
  list(): Preset[] {
    const rows = stored('read your presets', () => this.#db.prepare('SELECT * FROM presets ORDER BY seq').all());
    return (rows as PresetRow[]).map(toPreset).sort((a, b) => a.name.localeCompare(b.name));
  }

  /** Makes one (null) or replaces one. Throws AppError 'bad-input' where the one to replace is gone. */
  save(presetId: string | null, { name, systemPrompt, sampling }: PresetContent): Preset {
    const presetIdOrNew = presetId ?? randomUUID();
    const values = [name, systemPrompt ?? null, toJson(sampling)];
    const statement =
      presetId === null
        ? 'INSERT INTO presets (name, system_prompt, sampling, id) VALUES (?, ?, ?, ?)'
        : 'UPDATE presets SET name = ?, system_prompt = ?, sampling = ? WHERE id = ?';
    const { changes } = stored('save the preset', () => this.#db.prepare(statement).run(...values, presetIdOrNew));
    if (changes === 0) {
      throw new AppError('bad-input', 'This preset does not exist any more.', { action: 'Save it as a new one.' });
    }
    const row = stored('save the preset', () =>
      this.#db.prepare('SELECT * FROM presets WHERE id = ?').get(presetIdOrNew),
    );
    return toPreset(row as PresetRow);
  }

  remove(presetId: string): void {
    stored('delete the preset', () => this.#db.prepare('DELETE FROM presets WHERE id = ?').run(presetId));
  }
}

function toPreset(row: PresetRow): Preset {
  const base = {
    id: row.id,
    name: row.name,
    builtIn: false,
    ...(row.system_prompt === null ? {} : { systemPrompt: row.system_prompt }),
  };
  const whole = v.safeParse(Preset, row.sampling === null ? base : { ...base, sampling: fromJson(row.sampling) });
  return whole.success ? whole.output : v.parse(Preset, base);
}
