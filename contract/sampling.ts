/** Ranges and defaults of what people may set about the choice of tokens. Plain values: windows read them too. */

/** `step` is what a control moves by. */
export const SAMPLING_RANGES = {
  temperature: { min: 0, max: 2, step: 0.05 },
  topK: { min: 0, max: 500, step: 1 },
  topP: { min: 0, max: 1, step: 0.01 },
  minP: { min: 0, max: 1, step: 0.01 },
  repetitionPenalty: { min: 1, max: 2, step: 0.01 },
  repetitionWindow: { min: 0, max: 4096, step: 1 },
  seed: { min: 0, max: 4_294_967_295, step: 1 },
  maxTokens: { min: 1, max: 131_072, step: 1 },
} as const;

/** What holds where neither the chat nor its preset says otherwise; the temperature is in the settings. */
export const DEFAULT_SAMPLING = {
  // For small models a little below their makers' advice; the penalty keeps them from going in circles.
  topK: 40,
  topP: 0.9,
  minP: 0.05,
  repetitionPenalty: 1.1,
  repetitionWindow: 64,
  maxTokens: 2048,
} as const;

export const MOST_STOP_TEXTS = 8;
export const LONGEST_STOP_TEXT = 100;
