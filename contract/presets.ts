/** How a chat's answers are made: its options, presets that it can start from, and what happens at the context's end. */
import * as v from 'valibot';
import { id, nothing } from './fields.ts';
import { LONGEST_STOP_TEXT, MOST_STOP_TEXTS, SAMPLING_RANGES } from './sampling.ts';

const real = ({ min, max }: { min: number; max: number }) => v.pipe(v.number(), v.minValue(min), v.maxValue(max));
const whole = (range: { min: number; max: number }) => v.pipe(real(range), v.integer());

/** What is set apart from the defaults; meanings as in SamplingOptions. */
export const SamplingChoice = v.partial(
  v.object({
    temperature: real(SAMPLING_RANGES.temperature),
    topK: whole(SAMPLING_RANGES.topK),
    topP: real(SAMPLING_RANGES.topP),
    minP: real(SAMPLING_RANGES.minP),
    repetitionPenalty: real(SAMPLING_RANGES.repetitionPenalty),
    repetitionWindow: whole(SAMPLING_RANGES.repetitionWindow),
    seed: whole(SAMPLING_RANGES.seed),
    maxTokens: whole(SAMPLING_RANGES.maxTokens),
    stop: v.pipe(
      v.array(v.pipe(v.string(), v.minLength(1), v.maxLength(LONGEST_STOP_TEXT))),
      v.maxLength(MOST_STOP_TEXTS),
    ),
  }),
);
export type SamplingChoice = v.InferOutput<typeof SamplingChoice>;

export const SystemPrompt = v.pipe(v.string(), v.maxLength(100_000));

/**
 * When a conversation no longer fits the model's context: 'ask' fails the answer and offers choices (`Message.limit`);
 * 'drop-oldest' leaves out the oldest exchanges and says how many (`Message.omitted`).
 */
export const AtLimit = v.picklist(['ask', 'drop-oldest']);
export type AtLimit = v.InferOutput<typeof AtLimit>;

/** A chat's own choices. Each field goes before the preset's, which goes before that of the settings. */
export const ChatOptions = v.object({
  presetId: v.optional(id),
  /** Empty: none, also where preset or settings have one. */
  systemPrompt: v.optional(SystemPrompt),
  sampling: v.optional(SamplingChoice),
  /** Set by the choice 'drop-oldest' of messages.resolve, which holds for the rest of the chat. */
  atLimit: v.optional(AtLimit),
});
export type ChatOptions = v.InferOutput<typeof ChatOptions>;

export const Preset = v.object({
  id,
  /** The window has its own words for the names of those that come with the app. */
  name: v.string(),
  /** Comes with the app: it cannot be changed or removed. */
  builtIn: v.boolean(),
  systemPrompt: v.optional(SystemPrompt),
  sampling: v.optional(SamplingChoice),
});
export type Preset = v.InferOutput<typeof Preset>;

export const presetChannels = {
  /** Those of the app first, then the user's by name. */
  'presets.list': { request: nothing, response: v.array(Preset) },
  /** Makes one (`presetId` null) or changes one of the user's as a whole. */
  'presets.save': {
    request: v.object({
      presetId: v.nullable(id),
      name: v.pipe(v.string(), v.trim(), v.minLength(1), v.maxLength(80)),
      systemPrompt: v.optional(SystemPrompt),
      sampling: v.optional(SamplingChoice),
    }),
    response: Preset,
  },
  /** Chats that use it go on without it. Removing what is gone is no error. */
  'presets.remove': { request: v.object({ presetId: id }), response: nothing },
} as const;
export type PresetChannel = keyof typeof presetChannels;

export const presetEvents = [v.object({ type: v.literal('presets'), presets: v.array(Preset) })] as const;
