/** How much text a model can be given at once so that something sensible comes out; its context may hold much more. */

/** Below so many weights a model loses the request behind a long text. */
const SMALL = 5e8;
/** What such a model is given: measured with the default model of 135 million weights, see decision 21. */
const SMALL_CONTEXT = 2048;

/** Tokens of prompt and answer together. */
export function effectiveContext({
  parameters,
  contextSize,
}: {
  /** Number of weights. */
  parameters: number;
  contextSize: number;
}): number {
  return parameters < SMALL ? Math.min(SMALL_CONTEXT, contextSize) : contextSize;
}
