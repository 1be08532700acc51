/** `bench decode`: tokens one by one behind a context of some length, against llama.cpp. */
import { defaultRatio, ruleFor } from '../engine/attention/rules.ts';
import { likeliest } from '../engine/eval/divergence.ts';
import { Breath } from '../engine/session/breath.ts';
import type { LoadedModel } from '../engine/session/loaded-model.ts';
import { prefill } from '../engine/session/prefill.ts';
import type { Llama } from './llama.ts';
import { LLAMA, LLAMA_Q40 } from './prefill.ts';
import { type Contestant, interleave } from './rounds.ts';
import { sampleIds } from './sample-text.ts';
import { quantile, ratios, type Spread, spread } from './statistics.ts';

/** Tokens of one run; short, so that the context hardly grows while it is measured. */
const RUN_TOKENS = 24;
const OURS = 'ShadowNPU';

export interface DecodeRow {
  /** Tokens in the cache before the first decoded one. */
  context: number;
  name: string;
  msPerToken: Spread;
  tokensPerSecond: Spread;
  vsLlama: Spread | null;
  vsLlamaQ40: Spread | null;
}

export interface DecodeBench {
  model: LoadedModel;
  llamas: ReadonlyMap<string, Llama>;
  contexts: readonly number[];
  rounds: number;
  note: (text: string) => void;
  signal?: AbortSignal;
}

/** Rows of all contexts; a run's value is the median of its tokens. Throws AppError 'cancelled'. */
export async function benchDecode({
  model,
  llamas,
  contexts,
  rounds,
  note,
  signal,
}: DecodeBench): Promise<DecodeRow[]> {
  const ids = await sampleIds(model.tokenizer, Math.max(...contexts));
  const breath = new Breath(signal);
  const rows: DecodeRow[] = [];
  for (const context of contexts) {
    note(`${context} tokens of context ...`);
    const prompt = ids.slice(0, context);
    await fill(model, prompt, breath);
    for (const llama of llamas.values()) await llama.prefill(prompt);
    const contestants: Contestant[] = [
      { name: OURS, run: () => decodeOurs(model, prompt, breath) },
      ...[...llamas].map(([name, llama]) => ({
        name,
        run: async () => quantile(await llama.decode(prompt, RUN_TOKENS), 0.5),
      })),
    ];
    rows.push(...decodeRows(context, await interleave(contestants, { rounds, ...(signal ? { signal } : {}) })));
  }
  return rows;
}

async function fill(model: LoadedModel, ids: readonly number[], breath: Breath): Promise<void> {
  const attention = await model.prepareAttention({ mode: 'shadow', ratio: defaultRatio('shadow') });
  model.cache.truncate(0);
  await prefill(model.forward, model.cache, ids, { rule: (last) => ruleFor(attention, last), breath });
}

/** Median milliseconds of a greedy token behind the prompt, logits and the choice included. */
async function decodeOurs(model: LoadedModel, prompt: readonly number[], breath: Breath): Promise<number> {
  const { cache, forward } = model;
  cache.truncate(prompt.length - 1);
  const times: number[] = [];
  let id = prompt[prompt.length - 1] ?? 0;
  for (let i = 0; i <= RUN_TOKENS; i++) {
    const start = performance.now();
    await forward.step(id, cache.length, breath);
    cache.append([id]);
    id = likeliest(forward.logits(0, 1));
    // As for llama.cpp, the first token is not counted.
    if (i > 0) times.push(performance.now() - start);
  }
  return quantile(times, 0.5);
}

/** Rows of one context. @param times milliseconds a token, by contestant and round */
export function decodeRows(context: number, times: ReadonlyMap<string, readonly number[]>): DecodeRow[] {
  return [...times].map(([name, ms]) => {
    const versus = (other: string) => {
      const theirs = times.get(other);
      return theirs && other !== name ? ratios(theirs, ms) : null;
    };
    return {
      context,
      name,
      msPerToken: spread(ms),
      tokensPerSecond: spread(ms.map((value) => 1000 / value)),
      vsLlama: versus(LLAMA),
      vsLlamaQ40: versus(LLAMA_Q40),
    };
  });
}

/** decode_vs_llamacpp_N and decode_vs_llamacpp_q40_N for the contexts N run. */
export function decodeFigures(rows: readonly DecodeRow[]): Record<string, number> {
  const figures: Record<string, number> = {};
  for (const row of rows.filter(({ name }) => name === OURS)) {
    if (row.vsLlama) figures[`decode_vs_llamacpp_${row.context}`] = row.vsLlama.median;
    if (row.vsLlamaQ40) figures[`decode_vs_llamacpp_q40_${row.context}`] = row.vsLlamaQ40.median;
  }
  return figures;
}
