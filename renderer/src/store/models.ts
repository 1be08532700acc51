/** What the window knows of models: those that are here, those that can be got, and the long jobs about them. Pure. */
import type { ModelInfo } from '../../../contract/engine.ts';
import type { DownloadStatus, ModelJob, OfferedModel } from '../../../contract/models.ts';

/** An import or a check; downloads are known by their entry. */
type FileJob = Exclude<ModelJob, { kind: 'download' }>;
type CheckJob = Extract<ModelJob, { kind: 'verify' }>;

export interface ModelsState {
  /** Null until they were read once. */
  readonly models: readonly ModelInfo[] | null;
  readonly catalog: readonly OfferedModel[] | null;
  /** What main says has changed since models and catalogue were read. */
  readonly modelsStale: boolean;
  /** By entry. */
  readonly downloads: Readonly<Record<string, DownloadStatus>>;
  /** Imports and checks that run, and checks that have ended, by job. */
  readonly modelJobs: Readonly<Record<string, FileJob>>;
}

export const initialModels: ModelsState = {
  models: null,
  catalog: null,
  modelsStale: false,
  downloads: {},
  modelJobs: {},
};

/** Takes what main says of a job. Imports that have ended are gone: their model, or their error, is shown elsewhere. */
export function putJob<S extends ModelsState>(state: S, job: ModelJob): S {
  if (job.kind === 'download') {
    const { [job.status.entryId]: _before, ...others } = state.downloads;
    const isThere = job.status.state !== 'cancelled' && job.status.state !== 'done';
    return { ...state, downloads: isThere ? { ...others, [job.status.entryId]: job.status } : others };
  }
  const { [job.jobId]: _before, ...others } = state.modelJobs;
  const isShown = job.state === 'running' || (job.kind === 'verify' && job.state !== 'cancelled');
  return { ...state, modelJobs: isShown ? { ...others, [job.jobId]: job } : others };
}

/** The newest check of a model. */
export function checkOf(jobs: ModelsState['modelJobs'], modelId: string): CheckJob | undefined {
  return Object.values(jobs)
    .filter((job): job is CheckJob => job.kind === 'verify' && job.modelId === modelId)
    .at(-1);
}

/** What somebody without a model is offered: the largest of the recommended ones that fits, else the smallest of them. */
export function recommended(catalog: readonly OfferedModel[] | null): OfferedModel | undefined {
  const candidates = (catalog ?? []).filter((offer) => offer.recommended === true).sort((a, b) => b.bytes - a.bytes);
  return candidates.find(({ fit }) => fit.level === 'fits') ?? candidates.at(-1);
}
