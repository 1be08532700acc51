/** Changes of settings and what follows from them: windows are told, the theme changes, the wanted model is loaded. */
import type { AppEvent } from '../../contract/channels.ts';
import { AppError } from '../../contract/errors.ts';
import { phrase } from '../../contract/phrase.ts';
import type { Settings } from '../../contract/settings.ts';
import type { SettingsChanges, SettingsTable } from '../storage/settings.ts';
import { type ModelKeeper, wantedModel } from './model-keeper.ts';
import type { SerialQueue } from './serial-queue.ts';

export interface AppSettingsOptions {
  table: SettingsTable;
  keeper: ModelKeeper;
  queue: SerialQueue;
  emit: (event: AppEvent) => void;
  /** What else follows from a change. */
  changed: (after: Settings, before: Settings) => void;
}

export class AppSettings {
  readonly #options: AppSettingsOptions;

  constructor(options: AppSettingsOptions) {
    this.#options = options;
  }

  get(): Settings {
    return this.#options.table.get();
  }

  set(changes: SettingsChanges): Settings {
    const { table, keeper, queue, emit, changed } = this.#options;
    const before = table.get();
    const after = table.set(changes);
    emit({ type: 'settings', settings: after });
    changed(after, before);
    if (wantedModel(after) !== wantedModel(before)) {
      // After the answer that is being computed; how it goes is told by the engine's status.
      queue.run(() => keeper.ensure()).catch(() => undefined);
    }
    return after;
  }

  /** Makes `modelId` the model of this app and loads it. Throws AppError where there is no such usable model. */
  async load(modelId: string): Promise<void> {
    const { keeper, queue } = this.#options;
    const model = (await keeper.models()).find((known) => known.id === modelId);
    if (!model) {
      throw new AppError('model-missing', phrase`There is no model "${modelId}" on this machine.`, {
        action: 'Choose one on the Models page.',
      });
    }
    if (model.problem) throw AppError.fromInfo(model.problem);
    const changed = this.get().modelId !== modelId;
    this.set({ modelId });
    // Chosen again after it failed: one more try.
    if (!changed) queue.run(() => keeper.ensure()).catch(() => undefined);
  }
}
