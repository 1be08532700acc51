/** The last prompt read again with a pilot device, with plans and without, so that what they gain is measured. Engine thread. */
import type { AttentionOptions, Replay } from '../../../contract/engine.ts';
import { AppError } from '../../../contract/errors.ts';
import { ALL_ON } from '../../../contract/what-if.ts';
import { type GenerationHooks, generate } from '../session/generation.ts';
import type { Answered, LoadedModel } from '../session/loaded-model.ts';
import { GREEDY } from '../session/sampler.ts';
import { PromptPlans } from './prompt-plans.ts';
import { lanesOf } from './trace.ts';
import { ALL_OFF } from './what-if.ts';

type Plans = Pick<Required<AttentionOptions>, 'pipeline' | 'fuse'>;
const PLANNED: Plans = { pipeline: true, fuse: true };
const UNPLANNED: Plans = { pipeline: false, fuse: false };

/** `onPrefill` is told the tokens that were read over all runs. */
export type ReplayHooks = Pick<GenerationHooks, 'onPrefill' | 'onUse' | 'signal'>;

/**
 * undefined where nothing has been answered since the last request began, or its attention chooses no keys. The answer's trace
 * is kept, the cache is not. Throws AppError 'cancelled' for a fired signal, and as `generate`.
 */
export async function replayPlans(
  model: LoadedModel,
  pilot: string,
  hooks: ReplayHooks = {},
): Promise<Replay | undefined> {
  const { answered } = model;
  if (answered === undefined || answered.attention.mode !== 'shadow') return undefined;
  const putBack = model.traceLog.keep();
  model.answered = undefined;
  model.record = 'times';
  try {
    return await bothRuns(model, answered, pilot, hooks);
  } finally {
    model.record = 'nothing';
    model.answered = answered;
    putBack();
  }
}

async function bothRuns(model: LoadedModel, answered: Answered, pilot: string, hooks: ReplayHooks): Promise<Replay> {
  const { ids, attention } = answered;
  // A real device opens a graph at its first launch, for every size and length; a simulated one has only a thread to start.
  const warmUps: readonly [Plans, readonly number[]][] =
    pilot === 'simulated'
      ? [[PLANNED, ids.slice(0, model.forward.chunkSize)]]
      : [
          [PLANNED, ids],
          [UNPLANNED, ids],
        ];
  const total = warmUps.reduce((sum, [, prompt]) => sum + prompt.length, 2 * ids.length);
  let before = 0;
  const run = async (plans: Plans, prompt: readonly number[]) => {
    model.cache.truncate(0);
    const options: AttentionOptions = { ...attention, pilot, ...plans };
    const result = await generate(model, prompt, { ...GREEDY, maxTokens: 1 }, options, {
      ...hooks,
      onPrefill: (done) => hooks.onPrefill?.(before + done, total),
    });
    if (result.finishReason === 'cancelled') throw new AppError('cancelled', 'It was stopped.');
    before += prompt.length;
    return result;
  };
  for (const [plans, prompt] of warmUps) await run(plans, prompt);
  const measured = async (plans: Plans): Promise<Replay['planned']> => {
    const { text: _, tokenIds: __, ...figures } = await run(plans, ids);
    const { nLayer, nHead } = model.shared.shape;
    const trace = { layers: nLayer, heads: nHead, lanes: lanesOf(model, figures), ...model.traceLog.read() };
    return { trace, figures, predictedMs: predicted(model, answered, plans === PLANNED) };
  };
  return { planned: await measured(PLANNED), unplanned: await measured(UNPLANNED) };
}

function predicted(model: LoadedModel, { attention, ids }: Answered, planned: boolean): number {
  const { costs } = model.pilot;
  if (costs === undefined) return 0;
  const plans = new PromptPlans(model, { attention, from: 0, to: ids.length }, costs);
  // Under scales of their own all heads go through one graph.
  const buckets = attention.scale === 'buckets' || attention.scale === 'covering';
  return plans.layers({ ...(planned ? ALL_ON : ALL_OFF), buckets }).reduce((sum, ms) => sum + ms, 0);
}
