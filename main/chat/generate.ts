/** One request to the engine that can be stopped, also when the engine hangs. */
import type { AttentionOptions, GenerateResult, KeptPrompt, Prompt, SamplingOptions } from '../../contract/engine.ts';
import type { EngineProcess, EngineWork, GenerateListener } from '../engine-process.ts';

/** An engine that does not react to a cancel within this time hangs in native code and is ended. */
const CANCEL_PATIENCE_MS = 5000;

export interface GenerateBody {
  prompt: Prompt;
  sampling: SamplingOptions;
  attention: AttentionOptions;
  /** No answer of the conversation: the pipeline screen goes on showing the last one. */
  aside?: boolean | undefined;
  keep?: KeptPrompt | undefined;
}

/** A fired signal ends it with what there is (finishReason 'cancelled'). Throws AppError. */
export function generate(
  engine: EngineProcess,
  body: GenerateBody,
  listener: GenerateListener,
  signal: AbortSignal,
  patienceMs?: number,
): Promise<GenerateResult> {
  return untilStopped(engine, engine.generate(body, listener), signal, patienceMs);
}

/** What `work` gives; a fired signal cancels it, and ends an engine that does not react. */
export async function untilStopped<T>(
  engine: EngineProcess,
  work: EngineWork<T>,
  signal: AbortSignal,
  patienceMs: number = CANCEL_PATIENCE_MS,
): Promise<T> {
  let patience: NodeJS.Timeout | undefined;
  const cancel = () => {
    patience = setTimeout(() => engine.abandon(), patienceMs);
    work.cancel();
  };
  if (signal.aborted) cancel();
  else signal.addEventListener('abort', cancel);
  try {
    return await work.done;
  } finally {
    signal.removeEventListener('abort', cancel);
    clearTimeout(patience);
  }
}

/** Tokens a second; 0 before any time has passed. */
export function rate(count: number, milliseconds: number): number {
  return milliseconds > 0 ? (count * 1000) / milliseconds : 0;
}
