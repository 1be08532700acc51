/** One answer: prompt into the cache, then token by token until something ends it. */
import type {
  AttentionOptions,
  DeviceUse,
  FinishReason,
  GenerateResult,
  SamplingOptions,
} from '../../../contract/engine.ts';
import { AppError } from '../../../contract/errors.ts';
import { phrase } from '../../../contract/phrase.ts';
import { ruleFor, ruleName, usedAttention } from '../attention/rules.ts';
import { Breath } from './breath.ts';
import type { LoadedModel } from './loaded-model.ts';
import { prefill } from './prefill.ts';
import { createSampler } from './sampler.ts';
import { TextStream } from './text-stream.ts';

export interface GenerationHooks {
  /** Prompt tokens in the cache, of all. */
  onPrefill?: (done: number, total: number) => void;
  /** New text, and how many tokens have been generated so far. */
  onDelta?: (text: string, completionTokens: number) => void;
  /** Told once, before devices begin to work for the answer. */
  onUse?: (uses: readonly DeviceUse[]) => void;
  /** Told before the prompt is read, with the rule it will be read by: what of it was kept may be put into the cache. */
  restore?: (origin: string) => Promise<void>;
  signal?: AbortSignal;
}

/**
 * Generates from prompt ids. A fired signal ends it with what there is (finishReason 'cancelled'), in the prefill too.
 * Throws AppError 'context-overflow', 'bad-input' or 'numeric-fault'. @param askedAt when the request came, by performance.now()
 */
export async function generate(
  model: LoadedModel,
  ids: readonly number[],
  sampling: SamplingOptions,
  asked: AttentionOptions,
  hooks: GenerationHooks = {},
  askedAt = performance.now(),
): Promise<GenerateResult> {
  assertFits(ids.length, model.contextSize);
  const start = performance.now();
  const attention = await model.prepareAttention(asked);
  hooks.onUse?.(model.uses(attention));
  const breath = new Breath(hooks.signal);
  const origin = ruleName(attention);
  await hooks.restore?.(origin);
  const cached = model.cache.reuse(ids, origin);
  const run: Run = { tokenIds: [], text: '', finishReason: 'cancelled', firstTokenAt: undefined };
  let prefillMs: number | undefined;
  try {
    hooks.onPrefill?.(cached, ids.length);
    const row = await prefill(model.forward, model.cache, ids, {
      rule: (last) => ruleFor(attention, last),
      breath,
      onChunk: (done) => hooks.onPrefill?.(done, ids.length),
    });
    prefillMs = performance.now() - start;
    model.meter.decoding = true;
    await decode(model, ids, row, sampling, breath, hooks, run);
  } catch (error) {
    if (!(error instanceof AppError && error.kind === 'cancelled')) throw error;
  }
  const totalMs = performance.now() - start;
  prefillMs ??= totalMs;
  const prefilled = Math.min(model.cache.length, ids.length) - cached;
  const { problem } = model.pilot;
  const { deviceProblems, linearDevice } = model;
  // Part of what is cached was made with other scores than its origin says.
  if (problem || deviceProblems.length > 0) model.cache.truncate(0);
  // The first token comes from the prefill's logits; decode passes make the others.
  const decoded = Math.max(0, run.tokenIds.length - 1);
  const result: GenerateResult = {
    text: run.text,
    tokenIds: run.tokenIds,
    promptTokens: ids.length,
    cachedTokens: cached,
    completionTokens: run.tokenIds.length,
    finishReason: run.finishReason,
    prefill: speed(prefilled, prefillMs),
    decode: speed(decoded, totalMs - prefillMs),
    firstTokenMs: (run.firstTokenAt ?? start + totalMs) - askedAt,
    totalMs: start + totalMs - askedAt,
    attention: usedAttention(attention, problem),
    device: linearDevice,
    work: model.work(),
    ...(deviceProblems.length === 0 ? {} : { deviceProblems: [...deviceProblems] }),
    model: model.bundle.manifest.name,
    weights: model.bundle.manifest.weights,
  };
  if (model.record === 'answer') {
    model.requests += 1;
    model.answered = { request: model.requests, ids, attention, result };
  }
  return result;
}

interface Run {
  tokenIds: number[];
  text: string;
  finishReason: FinishReason;
  firstTokenAt: number | undefined;
}

/** Samples and feeds back until an end token, a stop text, the cap or the end of the context. */
async function decode(
  model: LoadedModel,
  prompt: readonly number[],
  promptRow: number,
  sampling: SamplingOptions,
  breath: Breath,
  hooks: GenerationHooks,
  run: Run,
): Promise<void> {
  const sampler = createSampler(sampling, model.tokenizer.size);
  const stream = new TextStream(model.tokenizer, sampling.stop);
  const emit = (text: string) => {
    run.text += text;
    if (text !== '') hooks.onDelta?.(text, run.tokenIds.length);
  };
  const room = model.contextSize - prompt.length;
  const most = Math.min(sampling.maxTokens ?? room, room);
  const recent = prompt.slice();
  let row = promptRow;
  try {
    for (;;) {
      await breath.take();
      const id = sampler.sample(model.forward.logits(row, 1), recent);
      if (model.tokenizer.endIds.has(id)) {
        run.finishReason = 'stop';
        return;
      }
      run.tokenIds.push(id);
      run.firstTokenAt ??= performance.now();
      recent.push(id);
      const step = stream.push(id);
      emit(step.text);
      if (step.stopped) {
        run.finishReason = 'stop';
        return;
      }
      if (run.tokenIds.length >= most) {
        run.finishReason = 'length';
        return;
      }
      await model.forward.step(id, model.cache.length, breath);
      model.cache.append([id]);
      row = 0;
    }
  } finally {
    model.cache.truncate(model.cache.length);
    emit(stream.flush());
  }
}

function assertFits(promptTokens: number, contextSize: number): void {
  if (promptTokens === 0) throw new AppError('bad-input', 'The prompt is empty.', { action: 'Write something first.' });
  if (promptTokens < contextSize) return;
  throw new AppError(
    'context-overflow',
    phrase`The prompt has ${promptTokens} tokens, but this model's context holds ${contextSize} with room for an answer.`,
    { action: phrase`Shorten the prompt to at most ${contextSize - 1} tokens, or use a model with a longer context.` },
  );
}

function speed(tokens: number, ms: number): { seconds: number; tokensPerSecond: number } {
  return { seconds: ms / 1000, tokensPerSecond: ms > 0 && tokens > 0 ? (tokens * 1000) / ms : 0 };
}
