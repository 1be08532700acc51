/** What the last prompt's layers did, for the window that draws it. */
import * as v from 'valibot';
import { TracedAnswer } from './engine.ts';
import { nothing } from './fields.ts';
import { HeadSelection, KeptTokens } from './trace.ts';
import { CostTableFile, WhatIf, WhatIfRequest } from './what-if.ts';

export const pipelineChannels = {
  /** undefined: nothing has been answered since the model was loaded, or an answer is being made. */
  'pipeline.trace': { request: nothing, response: v.optional(TracedAnswer) },
  /** undefined as above, or where that attention chooses no keys, or this machine's costs are not measured yet. */
  'pipeline.what-if': { request: WhatIfRequest, response: v.optional(WhatIf) },
  /** Those that come with the app. */
  'pipeline.cost-tables': { request: nothing, response: v.array(CostTableFile) },
  'pipeline.kept-tokens': { request: HeadSelection, response: v.optional(KeptTokens) },
} as const;
