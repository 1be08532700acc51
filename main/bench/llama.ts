/**
 * llama.cpp as a competitor, through node-llama-cpp: in this process, on the CPU alone, flash attention on. It is a
 * development dependency that only benchmarks load; the app does not ship it. Nothing is compiled or downloaded.
 */
import type { LlamaContextSequence, Token } from 'node-llama-cpp';
import { AppError } from '../../contract/errors.ts';

export interface Llama {
  /** Tokens that it computes at once. */
  batchSize: number;
  /** Computes `ids` anew. */
  prefill(ids: readonly number[]): Promise<void>;
  /** Milliseconds of each of `count` greedy tokens after `ids`, which the cache holds from `prefill` on. */
  decode(ids: readonly number[], count: number): Promise<number[]>;
  close(): Promise<void>;
}

export interface LlamaOptions {
  file: string;
  contextSize: number;
  threads: number;
  batchSize: number;
}

/** Throws AppError 'bad-input' where the package is not installed or has no binary for this machine. */
export async function openLlama({ file, contextSize, threads, batchSize }: LlamaOptions): Promise<Llama> {
  const { getLlama, LlamaLogLevel } = await loadPackage();
  const llama = await getLlama({ gpu: false, build: 'never', maxThreads: threads, logLevel: LlamaLogLevel.error });
  const model = await llama.loadModel({ modelPath: file, gpuLayers: 0 });
  const context = await model.createContext({
    contextSize,
    batchSize,
    flashAttention: true,
    threads: { ideal: threads, min: threads },
  });
  const sequence = context.getSequence();
  return {
    batchSize,
    prefill: async (ids) => {
      await sequence.clearHistory();
      await sequence.evaluateWithoutGeneratingNewTokens(ids as unknown as Token[]);
    },
    decode: (ids, count) => decode(sequence, ids, count),
    close: () => llama.dispose(),
  };
}

async function decode(sequence: LlamaContextSequence, ids: readonly number[], count: number): Promise<number[]> {
  const last = ids.length - 1;
  // The last token is computed again with its logits; what earlier rounds generated goes.
  await sequence.eraseContextTokenRanges([{ start: last, end: sequence.nextTokenIndex }]);
  const times: number[] = [];
  let from: number | undefined;
  for await (const _ of sequence.evaluate(ids.slice(last) as unknown as Token[], { temperature: 0 })) {
    const now = performance.now();
    if (from !== undefined) times.push(now - from);
    from = now;
    if (times.length === count) break;
  }
  return times;
}

async function loadPackage(): Promise<typeof import('node-llama-cpp')> {
  try {
    return await import('node-llama-cpp');
  } catch (error) {
    throw new AppError('bad-input', 'llama.cpp is not installed, so it cannot be compared with.', {
      action: 'Run "npm ci" with development dependencies, or leave --llama out.',
      cause: error,
    });
  }
}
