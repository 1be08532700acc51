/** What the last prompt's layers did, for the window that draws it. */
import * as v from 'valibot';
import { Replay, ReplayPilot, TracedAnswer } from './engine.ts';
import { count, nothing } from './fields.ts';
import { HeadSelection, KeptTokens } from './trace.ts';
import { CostTableFile, WhatIf, WhatIfRequest } from './what-if.ts';

export const pipelineChannels = {
  /** undefined: nothing has been answered since the model was loaded, or an answer is being made. */
  'pipeline.trace': { request: nothing, response: v.optional(TracedAnswer) },
  /** undefined as above, or where that attention chooses no keys, or this machine's costs are not measured yet. */
  'pipeline.what-if': { request: WhatIfRequest, response: v.optional(WhatIf) },
  /** Those that come with the app. */
  'pipeline.cost-tables': { request: nothing, response: v.array(CostTableFile) },
  /**
   * Reads the last prompt again, with plans and without, in its turn among questions; minutes for a long one. undefined as
   * above, or where it was stopped. Throws 'engine-busy' while another one runs.
   */
  'pipeline.replay': { request: v.object({ pilot: ReplayPilot }), response: v.optional(Replay) },
  'pipeline.stop-replay': { request: nothing, response: nothing },
  'pipeline.kept-tokens': { request: HeadSelection, response: v.optional(KeptTokens) },
} as const;

export const pipelineEvents = [
  /** Prompt tokens that were read again, of all that will be; null when it has ended. */
  v.object({
    type: v.literal('replay'),
    progress: v.nullable(v.object({ done: count, total: count, tokensPerSecond: v.pipe(v.number(), v.minValue(0)) })),
  }),
] as const;
