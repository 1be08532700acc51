/** One request to the engine that can be stopped, also when the engine hangs. */
import type { AttentionOptions, GenerateResult, Prompt, SamplingOptions } from '../../contract/engine.ts';
import type { EngineProcess, GenerateListener } from '../engine-process.ts';

/** An engine that does not react to a cancel within this time hangs in native code and is ended. */
const CANCEL_PATIENCE_MS = 5000;

export interface GenerateBody {
  prompt: Prompt;
  sampling: SamplingOptions;
  attention: AttentionOptions;
  /** No answer of the conversation: the pipeline screen goes on showing the last one. */
  aside?: boolean | undefined;
}

/** A fired signal ends it with what there is (finishReason 'cancelled'). Throws AppError. */
export async function generate(
  engine: EngineProcess,
  body: GenerateBody,
  listener: GenerateListener,
  signal: AbortSignal,
  patienceMs: number = CANCEL_PATIENCE_MS,
): Promise<GenerateResult> {
  const generation = engine.generate(body, listener);
  let patience: NodeJS.Timeout | undefined;
  const cancel = () => {
    patience = setTimeout(() => engine.abandon(), patienceMs);
    generation.cancel();
  };
  if (signal.aborted) cancel();
  else signal.addEventListener('abort', cancel);
  try {
    return await generation.done;
  } finally {
    signal.removeEventListener('abort', cancel);
    clearTimeout(patience);
  }
}
