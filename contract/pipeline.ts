/** What the last prompt's layers did, for the window that draws it. */
import * as v from 'valibot';
import { TracedAnswer } from './engine.ts';
import { nothing } from './fields.ts';
import { HeadSelection, KeptTokens, LayerPlan, PlanRequest } from './trace.ts';

export const pipelineChannels = {
  /** undefined: nothing has been answered since the model was loaded, or an answer is being made. */
  'pipeline.trace': { request: nothing, response: v.optional(TracedAnswer) },
  'pipeline.plan': { request: PlanRequest, response: v.optional(LayerPlan) },
  'pipeline.kept-tokens': { request: HeadSelection, response: v.optional(KeptTokens) },
} as const;
