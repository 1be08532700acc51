/** `bench prefill`: a whole prompt, from token ids to the logits of the first answered token, against llama.cpp. */
import type { Engine } from '../engine/engine.ts';
import type { Configuration } from '../engine/eval/configurations.ts';
import type { Llama } from './llama.ts';
import { type Contestant, interleave } from './rounds.ts';
import { sampleIds } from './sample-text.ts';
import { ratios, type Spread, spread } from './statistics.ts';

/** Names of llama.cpp's two forms; our configurations go by their own names. */
export const LLAMA = 'llama.cpp';
export const LLAMA_Q40 = 'llama.cpp Q4_0';

export interface PrefillRow {
  tokens: number;
  name: string;
  /** Until the logits of the first answered token are there; llama.cpp: until the prompt is in its cache. */
  firstTokenMs: Spread;
  tokensPerSecond: Spread;
  /** Time of llama.cpp (file as it is; requantised) and of `full` over this one's; null where it did not run. */
  vsLlama: Spread | null;
  vsLlamaQ40: Spread | null;
  vsFull: Spread | null;
}

export interface PrefillBench {
  engine: Engine;
  configurations: readonly Configuration[];
  llamas: ReadonlyMap<string, Llama>;
  /** Lengths of the prompt. */
  tokens: readonly number[];
  rounds: number;
  note: (text: string) => void;
  signal?: AbortSignal;
}

/** Rows of all lengths; all contestants take turns within a round. Throws AppError 'cancelled'. */
export async function benchPrefill(bench: PrefillBench): Promise<PrefillRow[]> {
  const { engine, configurations, llamas, rounds, note, signal } = bench;
  const ids = await sampleIds(engine.model.tokenizer, Math.max(...bench.tokens));
  const hooks = signal ? { signal } : {};
  const rows: PrefillRow[] = [];
  for (const tokens of bench.tokens) {
    const prompt = ids.slice(0, tokens);
    const ours = configurations.map(
      ({ name, options }): Contestant => ({
        name,
        run: async () => void (await engine.logits(prompt, options, hooks)),
      }),
    );
    const theirs = [...llamas].map(([name, llama]): Contestant => ({ name, run: () => llama.prefill(prompt) }));
    const onRound = (done: number) => note(`${tokens} tokens: ${done === 0 ? 'warm' : `round ${done} of ${rounds}`}`);
    rows.push(...prefillRows(tokens, await interleave([...ours, ...theirs], { rounds, onRound, ...hooks })));
  }
  return rows;
}

/** Rows of one length. @param times milliseconds by contestant and round */
export function prefillRows(tokens: number, times: ReadonlyMap<string, readonly number[]>): PrefillRow[] {
  return [...times].map(([name, ms]) => {
    const versus = (other: string) => {
      const theirs = times.get(other);
      return theirs && other !== name ? ratios(theirs, ms) : null;
    };
    return {
      tokens,
      name,
      firstTokenMs: spread(ms),
      tokensPerSecond: spread(ms.map((value) => (tokens * 1000) / value)),
      vsLlama: versus(LLAMA),
      vsLlamaQ40: versus(LLAMA_Q40),
      vsFull: versus('full'),
    };
  });
}

/** prefill_shadow_vs_full_N, prefill_vs_llamacpp_N and prefill_vs_llamacpp_q40_N (shadow against each) for the lengths N run. */
export function prefillFigures(rows: readonly PrefillRow[]): Record<string, number> {
  const figures: Record<string, number> = {};
  for (const row of rows.filter(({ name }) => name === 'shadow')) {
    if (row.vsFull) figures[`prefill_shadow_vs_full_${row.tokens}`] = row.vsFull.median;
    if (row.vsLlama) figures[`prefill_vs_llamacpp_${row.tokens}`] = row.vsLlama.median;
    if (row.vsLlamaQ40) figures[`prefill_vs_llamacpp_q40_${row.tokens}`] = row.vsLlamaQ40.median;
  }
  return figures;
}
