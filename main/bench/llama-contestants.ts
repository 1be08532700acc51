/** llama.cpp on the model's own file and on its Q4_0 form, each with the batch size that is fastest here. */
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { AppError } from '../../contract/errors.ts';
import { type Llama, openLlama } from './llama.ts';
import { LLAMA, LLAMA_Q40 } from './prefill.ts';
import { requantiseToQ40 } from './requantise.ts';

/** Batch sizes that a prompt is tried with; decoding does not depend on it. */
export const BATCH_SIZES: readonly number[] = [256, 512, 1024];
export const ANY_BATCH_SIZE: readonly number[] = [512];
const TRIAL_TOKENS = 1024;

export interface LlamaRequest {
  /** The .gguf that our bundle was made from. */
  file: string;
  /** Tokens for the trial, at least TRIAL_TOKENS or all that the bench uses. */
  ids: readonly number[];
  contextSize: number;
  threads: number;
  /** Tried on a prompt of TRIAL_TOKENS where there are several. */
  batchSizes: readonly number[];
  note: (text: string) => void;
  signal?: AbortSignal;
}

/**
 * Runs `work` with both contestants, by name; the requantised file is deleted afterwards.
 * Throws AppError 'model-missing' where the model file is gone, or what `openLlama` throws.
 */
export async function withLlamas<T>(
  request: LlamaRequest,
  work: (llamas: ReadonlyMap<string, Llama>) => Promise<T>,
): Promise<T> {
  const { file, note } = request;
  if (!existsSync(file)) {
    throw new AppError('model-missing', `${file}, which this model was imported from, is no longer there.`, {
      action: 'Put it back, or leave --llama out.',
    });
  }
  const folder = mkdtempSync(path.join(tmpdir(), 'shadownpu-bench-'));
  const llamas = new Map<string, Llama>();
  try {
    llamas.set(LLAMA, await fastest(request, file));
    note('Requantising the model to Q4_0 for llama.cpp ...');
    const requantised = path.join(folder, 'q4_0.gguf');
    await requantiseToQ40(file, requantised);
    llamas.set(LLAMA_Q40, await fastest(request, requantised));
    for (const [name, { batchSize }] of llamas) note(`${name}: batch size ${batchSize}`);
    return await work(llamas);
  } finally {
    for (const llama of llamas.values()) await llama.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function fastest(
  { ids, contextSize, threads, batchSizes, note, signal }: LlamaRequest,
  file: string,
): Promise<Llama> {
  const trial = ids.slice(0, TRIAL_TOKENS);
  let best: { llama: Llama; ms: number } | undefined;
  for (const batchSize of batchSizes) {
    if (signal?.aborted) throw new AppError('cancelled', 'Stopped.');
    if (batchSizes.length === 1) return openLlama({ file, contextSize, threads, batchSize });
    note(`llama.cpp, batch size ${batchSize}: trying ...`);
    const llama = await openLlama({ file, contextSize, threads, batchSize });
    const start = performance.now();
    await llama.prefill(trial);
    const ms = performance.now() - start;
    if (best !== undefined && best.ms <= ms) {
      await llama.close();
      continue;
    }
    await best?.llama.close();
    best = { llama, ms };
  }
  if (best === undefined) throw new RangeError('no batch size was tried');
  return best.llama;
}
