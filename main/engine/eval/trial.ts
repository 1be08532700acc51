/**
 * Answers that are made to be measured: nothing cached, always the likeliest token; and how near one kind of attention is to
 * full attention over the words of an answer. Runs on the engine thread.
 */
import type { Agreement, AttentionOptions, Trial } from '../../../contract/engine.ts';
import { at } from '../attention/layer-views.ts';
import { ruleFor, ruleName } from '../attention/rules.ts';
import type { Breath } from '../session/breath.ts';
import { type GenerationHooks, generate } from '../session/generation.ts';
import type { LoadedModel } from '../session/loaded-model.ts';
import { prefill } from '../session/prefill.ts';
import { GREEDY } from '../session/sampler.ts';
import { divergence, likeliest } from './divergence.ts';

/** Predictions that are compared at the most: so many rows of logits are kept. */
const MOST_COMPARED = 64;

export interface Trialled {
  ids: readonly number[];
  attention: AttentionOptions;
}

/**
 * Answers a prompt of which nothing is cached. Throws AppError as `generate`; a fired signal is no error.
 * @param encodeMs how long it took to get the ids
 */
export async function runTrial(
  model: LoadedModel,
  { ids, attention }: Trialled,
  { maxTokens, encodeMs }: { maxTokens: number; encodeMs: number },
  hooks: GenerationHooks = {},
): Promise<Trial> {
  let peakBytes = 0;
  const look = () => {
    peakBytes = Math.max(peakBytes, process.memoryUsage.rss());
  };
  // A device opens at its first use, once for all answers: that is no part of this one.
  const { onPrefill: _, onDelta: __, ...quiet } = hooks;
  await generate(model, ids.slice(0, model.forward.chunkSize), { ...GREEDY, maxTokens: 1 }, attention, quiet);
  model.cache.truncate(0);
  const watched: GenerationHooks = {
    ...hooks,
    onPrefill: (done, total) => {
      look();
      hooks.onPrefill?.(done, total);
    },
    onDelta: (text, tokens) => {
      look();
      hooks.onDelta?.(text, tokens);
    },
  };
  const askedAt = performance.now() - encodeMs;
  const result = await generate(model, ids, { ...GREEDY, maxTokens }, attention, watched, askedAt);
  look();
  return { result, peakBytes };
}

/** Predictions over the tokens of an answer: after the prompt, and after each token but the last. */
export class AnswerLogits {
  private readonly ids: readonly number[];
  readonly answer: readonly number[];
  /** [rows, nVocab] */
  readonly logits: Float32Array;
  private readonly vocab: number;

  constructor(ids: readonly number[], answer: readonly number[], rows: readonly Float32Array[]) {
    this.ids = ids;
    this.answer = answer;
    this.vocab = at(rows, 0).length;
    this.logits = new Float32Array(rows.length * this.vocab);
    for (const [index, row] of rows.entries()) this.logits.set(row, index * this.vocab);
  }

  row(index: number): Float32Array {
    return this.logits.subarray(index * this.vocab, (index + 1) * this.vocab);
  }

  isOf(ids: readonly number[], answer: readonly number[]): boolean {
    return same(this.ids, ids) && same(this.answer, answer.slice(0, MOST_COMPARED));
  }
}

/** The model's predictions over `answer`, of which only the first tokens are looked at. Throws AppError as Forward.pass. */
export async function answerLogits(
  model: LoadedModel,
  asked: Trialled,
  answer: readonly number[],
  breath: Breath,
): Promise<AnswerLogits> {
  const rows: Float32Array[] = [];
  const looked = answer.slice(0, MOST_COMPARED);
  for await (const row of predictions(model, asked, looked, breath)) rows.push(row);
  return new AnswerLogits(asked.ids, looked, rows);
}

/** Over what `reference` is of. Throws AppError as Forward.pass. */
export async function agreementWith(
  reference: AnswerLogits,
  model: LoadedModel,
  asked: Trialled,
  breath: Breath,
): Promise<Agreement> {
  // Ids behind the tokenizer's are padding that is never chosen.
  const { size } = model.tokenizer;
  let tokens = 0;
  let alike = 0;
  let kl = 0;
  for await (const row of predictions(model, asked, reference.answer, breath)) {
    const wanted = reference.row(tokens).subarray(0, size);
    const own = row.subarray(0, size);
    if (likeliest(wanted) === likeliest(own)) alike++;
    kl += divergence(wanted, own);
    tokens++;
  }
  // Rounding can leave equal distributions a hair below nothing.
  return { tokens, top1: alike / tokens, kl: Math.max(0, kl / tokens) };
}

/** Logits [nVocab] after the prompt and after each token of `answer` but the last. What is cached of the prompt counts. */
async function* predictions(
  model: LoadedModel,
  { ids, attention }: Trialled,
  answer: readonly number[],
  breath: Breath,
): AsyncGenerator<Float32Array, void> {
  const { cache, forward } = model;
  try {
    const usable = await model.prepareAttention(attention);
    cache.reuse(ids, ruleName(usable));
    const row = await prefill(forward, cache, ids, { rule: (last) => ruleFor(usable, last), breath });
    yield forward.logits(row, 1);
    model.meter.decoding = true;
    for (const id of answer.slice(0, -1)) {
      await breath.take();
      await forward.step(id, cache.length, breath);
      cache.append([id]);
      yield forward.logits(0, 1);
    }
  } finally {
    cache.truncate(cache.length);
  }
}

function same(a: readonly number[], b: readonly number[]): boolean {
  return a.length === b.length && a.every((value, index) => value === b[index]);
}
