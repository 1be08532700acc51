/** What the loaded model takes of the machine. Engine thread, at any time. */
import type { EngineUsage } from '../../../contract/engine.ts';
import { weightsOfBundle } from '../model/memory-shape.ts';
import type { LoadedModel } from '../session/loaded-model.ts';
import { ENGINE_LANE } from './trace-log.ts';

export function usageOf(model: LoadedModel): EngineUsage {
  const { kv, activations, trace } = model.shared;
  const kvBytes = bytesOf(kv);
  const { length, capacity } = model.cache;
  return {
    threadsMs: Array.from({ length: model.threads }, (_, i) => Math.max(0, model.traceLog.workedMs(ENGINE_LANE + i))),
    memory: {
      weightsBytes: weightsOfBundle(model.bundle.manifest),
      kvUsedBytes: Math.round((kvBytes * length) / capacity),
      kvBytes,
      scratchBytes: bytesOf({ activations, trace }),
    },
  };
}

/** Shared memory in a value, however deep. */
function bytesOf(value: unknown): number {
  if (value instanceof SharedArrayBuffer) return value.byteLength;
  if (typeof value !== 'object' || value === null) return 0;
  return Object.values(value).reduce<number>((sum, each) => sum + bytesOf(each), 0);
}
