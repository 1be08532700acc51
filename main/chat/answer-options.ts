/** How an answer is made: the chat's options over its preset over the settings. */
import type { AttentionOptions, SamplingOptions } from '../../contract/engine.ts';
import type { AtLimit, ChatOptions, Preset } from '../../contract/presets.ts';
import { DEFAULT_SAMPLING } from '../../contract/sampling.ts';
import type { Settings } from '../../contract/settings.ts';

export interface AnswerOptions {
  systemPrompt: string;
  sampling: SamplingOptions;
  attention: AttentionOptions;
  atLimit: AtLimit;
}

/** Tokens that are kept for an answer, beside a prompt that could be shorter. */
const RESERVE = 512;

export function answerOptions(
  settings: Settings,
  chat: ChatOptions | undefined,
  presets: readonly Preset[],
): AnswerOptions {
  const preset = presets.find(({ id }) => id === chat?.presetId);
  return {
    systemPrompt: chat?.systemPrompt ?? preset?.systemPrompt ?? settings.systemPrompt,
    sampling: {
      ...DEFAULT_SAMPLING,
      stop: [],
      temperature: settings.temperature,
      ...given(preset?.sampling),
      ...given(chat?.sampling),
    },
    attention: settings.attention,
    atLimit: chat?.atLimit ?? settings.atLimit,
  };
}

/** At most a quarter of the context, and no more than the answer may have. */
export function reserveFor({ sampling }: AnswerOptions, contextSize: number): number {
  return Math.min(RESERVE, sampling.maxTokens ?? RESERVE, Math.floor(contextSize / 4));
}

/** Without the fields that are there but undefined: they would hide what they stand over. */
function given<T extends object>(fields: T | undefined): { [K in keyof T]?: Exclude<T[K], undefined> } {
  const entries = Object.entries(fields ?? {}).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as { [K in keyof T]?: Exclude<T[K], undefined> };
}
