/** What the user has chosen, and the clipboard. */
import * as v from 'valibot';
import { isDownloadAddress } from './addresses.ts';
import { AttentionOptions, Placement, WeightFlavour } from './engine.ts';
import { nothing } from './fields.ts';
import { LanguageChoice } from './language.ts';
import { AtLimit } from './presets.ts';

export const ThemeChoice = v.picklist(['system', 'light', 'dark']);
export type ThemeChoice = v.InferOutput<typeof ThemeChoice>;

export const Settings = v.object({
  theme: ThemeChoice,
  language: LanguageChoice,
  attention: AttentionOptions,
  weights: WeightFlavour,
  systemPrompt: v.string(),
  temperature: v.pipe(v.number(), v.minValue(0), v.maxValue(2)),
  /** What happens to a conversation that no longer fits, where its chat does not say. */
  atLimit: AtLimit,
  /** Whether the model writes a title after a chat's first answer. */
  autoTitle: v.boolean(),
  /** The model's memory is given back after so many minutes without use; absent: never. */
  unloadAfterMinutes: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(1440))),
  /** What a start shows: the chat that was open last, or an empty one. */
  startWith: v.picklist(['last-chat', 'new-chat']),
  /** Whether the app stays in the tray when its last window is closed. */
  closeToTray: v.boolean(),
  /** Whether the first run was gone through or skipped. */
  welcomed: v.boolean(),
  /** The model that is loaded at start; absent: the first that is found. */
  modelId: v.optional(v.string()),
  /** Tokens of context that a model is loaded with, by model; absent: the engine's own. */
  contextSizes: v.record(v.string(), v.pipe(v.number(), v.integer(), v.minValue(256), v.maxValue(2 ** 31 - 1))),
  /** Which device runs what; counts from the next load on. */
  placement: Placement,
  /** Disk space for what was read of documents, so that they need not be read again; 0: nothing is kept. */
  keptReadingGigabytes: v.pipe(v.number(), v.minValue(0), v.maxValue(1000)),
  /** Server in place of Hugging Face for downloads, e.g. "https://hf-mirror.com"; absent: HF_ENDPOINT, else Hugging Face. */
  downloadServer: v.optional(v.pipe(v.string(), v.maxLength(300), v.check(isDownloadAddress))),
  /** A folder with execution provider libraries of the user's own. */
  libraryFolder: v.optional(v.string()),
});
export type Settings = v.InferOutput<typeof Settings>;

export const settingsChannels = {
  'settings.get': { request: nothing, response: Settings },
  /** Without the folder of libraries: code is loaded from there, so only the user chooses it, in a dialog of main's. */
  'settings.set': { request: v.partial(v.omit(Settings, ['libraryFolder'])), response: Settings },
  'clipboard.write': { request: v.object({ text: v.pipe(v.string(), v.maxLength(10_000_000)) }), response: nothing },
} as const;

export const settingsEvents = [v.object({ type: v.literal('settings'), settings: Settings })] as const;
