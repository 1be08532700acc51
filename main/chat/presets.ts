/** Presets: those that come with the app, and the user's own. */
import type { AppEvent } from '../../contract/channels.ts';
import { AppError } from '../../contract/errors.ts';
import type { Preset } from '../../contract/presets.ts';
import type { PresetContent, PresetTable } from '../storage/presets.ts';

/** The window has its own words for their names, by id. System prompts are English, which every model knows. */
const BUILT_IN: readonly Preset[] = [
  { id: 'precise', name: 'Precise', builtIn: true, sampling: { temperature: 0 } },
  { id: 'creative', name: 'Creative', builtIn: true, sampling: { temperature: 0.9, topP: 0.95, topK: 100 } },
  {
    id: 'brief',
    name: 'Brief',
    builtIn: true,
    systemPrompt: "Answer in the user's language, in as few sentences as the question allows. Leave out introductions.",
  },
  {
    id: 'editor',
    name: 'Editor',
    builtIn: true,
    systemPrompt:
      'Correct spelling, grammar and style of the text that the user gives, in its own language. ' +
      'Keep its meaning and tone. Answer with the corrected text only.',
    sampling: { temperature: 0 },
  },
  {
    id: 'translator',
    name: 'Translator',
    builtIn: true,
    systemPrompt:
      'Translate what the user writes: Chinese into English, everything else into Simplified Chinese, ' +
      'unless the user names another language. Answer with the translation only.',
    sampling: { temperature: 0 },
  },
];

export class Presets {
  readonly #table: PresetTable;
  readonly #emit: (event: AppEvent) => void;

  constructor(table: PresetTable, emit: (event: AppEvent) => void) {
    this.#table = table;
    this.#emit = emit;
  }

  /** Those of the app first, then the user's by name. */
  list(): Preset[] {
    return [...BUILT_IN, ...this.#table.list()];
  }

  /** Makes one (null) or replaces one of the user's. Throws AppError 'bad-input' for one of the app or one that is gone. */
  save(presetId: string | null, content: PresetContent): Preset {
    if (BUILT_IN.some(({ id }) => id === presetId)) {
      throw new AppError('bad-input', 'This preset comes with the app and cannot be changed.', {
        action: 'Save it as a new one.',
      });
    }
    const preset = this.#table.save(presetId, content);
    this.#changed();
    return preset;
  }

  remove(presetId: string): void {
    this.#table.remove(presetId);
    this.#changed();
  }

  #changed(): void {
    this.#emit({ type: 'presets', presets: this.list() });
  }
}
