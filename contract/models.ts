/** Models as the window knows them: what is on this machine, what can be got, and the long jobs about them. */
import * as v from 'valibot';
import { Checked, MemoryEstimate, ModelInfo, Progress, WeightFlavour } from './engine.ts';
import { ErrorInfo } from './errors.ts';
import { count } from './fields.ts';

const modelId = v.pipe(v.string(), v.minLength(1), v.maxLength(200));
const entryId = v.pipe(v.string(), v.regex(/^[a-z0-9][a-z0-9._-]{0,99}$/));
const path = v.pipe(v.string(), v.minLength(1), v.maxLength(32_767));
const contextSize = v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(2 ** 31 - 1));
const nothing = v.undefined();

/** Whether a model's memory is there: with room to spare, only just, or not. */
export const FitLevel = v.picklist(['fits', 'tight', 'no']);
export type FitLevel = v.InferOutput<typeof FitLevel>;

/** A model's need of memory against what this machine has free. */
export const ModelFit = v.object({
  level: FitLevel,
  memory: MemoryEstimate,
  /** Bytes that programs can have now, what the loaded model would give back included. */
  availableBytes: count,
  /** The same with its linear parts on each device beside the processor that can run them. */
  devices: v.array(v.object({ id: v.string(), name: v.string(), level: FitLevel, neededBytes: count })),
});
export type ModelFit = v.InferOutput<typeof ModelFit>;

/** A model that can be downloaded. */
export const CatalogEntry = v.object({
  id: entryId,
  name: v.string(),
  family: v.string(),
  /** Number of weights, e.g. 135e6. */
  parameters: count,
  /** Storage type of most weights, e.g. 'Q4_K_M'. */
  quantization: v.string(),
  /** Size of the file. */
  bytes: count,
  licence: v.string(),
  licenceUrl: v.string(),
  url: v.string(),
  /** One of those that a first-time user is offered. */
  recommended: v.optional(v.boolean()),
  sha256: v.optional(v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/))),
  architecture: v.string(),
  contextTrained: count,
  /** Layers, and the heads of keys and values in each: what a token takes of memory. */
  nLayer: count,
  nHeadKv: count,
  headDim: count,
  /** Hardware that it suits: computers with this much memory, in GB as they are sold. */
  memoryGB: count,
  /** The chat template in its file, in words. */
  template: v.string(),
  /** One sentence on what it is good for. */
  note: v.object({ en: v.string(), 'zh-CN': v.string() }),
});
export type CatalogEntry = v.InferOutput<typeof CatalogEntry>;

/** A catalogue entry as this machine sees it. */
export const OfferedModel = v.object({
  ...CatalogEntry.entries,
  /** Id of the model that came from it, where it is here. */
  installed: v.optional(modelId),
  fit: ModelFit,
});
export type OfferedModel = v.InferOutput<typeof OfferedModel>;

export const DownloadStatus = v.object({
  entryId,
  /** 'cancelled' is told once, of a download that is no longer there. */
  state: v.picklist(['queued', 'running', 'paused', 'verifying', 'failed', 'done', 'cancelled']),
  received: count,
  total: count,
  /** 0 where it is not known. */
  bytesPerSecond: v.pipe(v.number(), v.minValue(0)),
  secondsLeft: v.optional(count),
  /** Why it failed; of a running one: why it waits before it tries again. */
  error: v.optional(ErrorInfo),
});
export type DownloadStatus = v.InferOutput<typeof DownloadStatus>;

const job = {
  jobId: v.pipe(v.string(), v.minLength(1), v.maxLength(64)),
  /** What is being worked on, in words. */
  name: v.string(),
  state: v.picklist(['running', 'done', 'failed', 'cancelled']),
  progress: v.optional(Progress),
  error: v.optional(ErrorInfo),
};
/** A long job about a model. The last event of a job is the one that is not `running`. */
export const ModelJob = v.variant('kind', [
  v.object({
    kind: v.literal('import'),
    ...job,
    /** Of the imported model, once it is done. */ modelId: v.optional(modelId),
  }),
  v.object({
    kind: v.literal('verify'),
    ...job,
    modelId,
    /** Once it is done. */ checked: v.optional(Checked),
  }),
  v.object({ kind: v.literal('download'), status: DownloadStatus }),
]);
export type ModelJob = v.InferOutput<typeof ModelJob>;

export const modelChannels = {
  'models.list': { request: nothing, response: v.array(ModelInfo) },
  /** Jobs that run now, for a window that has just opened. */
  'models.jobs': { request: nothing, response: v.array(ModelJob) },
  /**
   * Imports a .gguf file or a folder with safetensors, which the user chooses in a dialog of main's, without loading it.
   * Answers with the model once that is done; null where the user chose nothing. Rejects with kind 'cancelled' where it was
   * cancelled.
   */
  'models.import': {
    request: v.object({ what: v.picklist(['file', 'folder']), weights: v.optional(WeightFlavour) }),
    response: v.nullable(ModelInfo),
  },
  /** The same for a path that was dropped on the page: the preload script finds it and asks, never the page. */
  'models.drop': { request: v.object({ path, weights: v.optional(WeightFlavour) }), response: ModelInfo },
  /** Checks a model's files; says against what, where all is well, and rejects with what is wrong. */
  'models.verify': { request: v.object({ modelId }), response: Checked },
  /** Ends an import or a check; nothing half-made stays. */
  'models.cancel': { request: v.object({ jobId: job.jobId }), response: nothing },
  /** Removes the imported form, and the model's file where it lies in the app's own folder. */
  'models.remove': { request: v.object({ modelId }), response: nothing },
  /** Gives the loaded model's memory back; the next question loads it again. */
  'models.unload': { request: nothing, response: nothing },
  /** Null where the model cannot be read. */
  'models.fit': {
    request: v.object({ modelId, weights: WeightFlavour, contextSize: v.optional(contextSize) }),
    response: v.nullable(ModelFit),
  },
} as const;

/** Channels of the catalogue and of downloads. */
export const catalogChannels = {
  'models.catalog': { request: nothing, response: v.array(OfferedModel) },
  'models.download': { request: v.object({ entryId }), response: DownloadStatus },
  'models.pause': { request: v.object({ entryId }), response: nothing },
  'models.cancel-download': { request: v.object({ entryId }), response: nothing },
} as const;

export const modelEvents = [
  /** The list of models, or what a model takes on disk, has changed. */
  v.object({ type: v.literal('models') }),
  v.object({ type: v.literal('model-job'), job: ModelJob }),
] as const;
