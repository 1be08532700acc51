/** Where the engine and its model stand. */
import * as v from 'valibot';
import { LoadedModel, Progress } from './engine.ts';
import { ErrorInfo } from './errors.ts';
import { nothing } from './fields.ts';
import { Phrase } from './phrase.ts';

export const EngineStatus = v.variant('state', [
  v.object({ state: v.literal('starting') }),
  /** No model on this machine yet. */
  v.object({ state: v.literal('no-model'), action: v.string(), phrase: v.optional(Phrase) }),
  v.object({ state: v.literal('loading'), modelName: v.string(), progress: v.optional(Progress) }),
  v.object({ state: v.literal('ready'), model: LoadedModel }),
  /** Its memory has been given back; the next question loads it again. */
  v.object({ state: v.literal('unloaded'), modelName: v.string() }),
  /** The process ended; it is being started again unless `final`. */
  v.object({ state: v.literal('failed'), error: ErrorInfo, final: v.boolean() }),
]);
export type EngineStatus = v.InferOutput<typeof EngineStatus>;

/** Where the full calibration of the loaded model stands. */
export const CalibrationStatus = v.variant('state', [
  /** No model is loaded, or it has been calibrated. */
  v.object({ state: v.literal('unavailable') }),
  /** It can be started; `offered`: now is a good moment. `error`: why the last one ended. */
  v.object({ state: v.literal('possible'), offered: v.boolean(), error: v.optional(ErrorInfo) }),
  v.object({ state: v.literal('running'), progress: v.optional(Progress) }),
]);
export type CalibrationStatus = v.InferOutput<typeof CalibrationStatus>;

export const modelStatusChannels = {
  'engine.status': { request: nothing, response: EngineStatus },
  'engine.load': { request: v.object({ modelId: v.string() }), response: nothing },
  'calibration.status': { request: nothing, response: CalibrationStatus },
  /** Starts it, or goes on where it was stopped. A question stops it. */
  'calibration.start': { request: nothing, response: nothing },
  'calibration.stop': { request: nothing, response: nothing },
} as const;

export const modelStatusEvents = [
  v.object({ type: v.literal('engine-status'), status: EngineStatus }),
  v.object({ type: v.literal('calibration'), status: CalibrationStatus }),
] as const;
