/** The loaded model as summaries see it. Each answer waits for its turn, so that chat questions come in between. */
import type { ChatTurn, LoadedModel } from '../../contract/engine.ts';
import { AppError } from '../../contract/errors.ts';
import { DEFAULT_SAMPLING } from '../../contract/sampling.ts';
import { generate } from '../chat/generate.ts';
import type { ModelKeeper } from '../chat/model-keeper.ts';
import type { SerialQueue } from '../chat/serial-queue.ts';
import { effectiveContext } from '../documents/summarise/effective-context.ts';
import {
  type Generated,
  type GenerateOptions,
  generatedFrom,
  type SummaryModel,
} from '../documents/summarise/model.ts';
import type { EngineProcess } from '../engine-process.ts';
import type { SettingsTable } from '../storage/settings.ts';

export interface EngineModelOptions {
  engine: EngineProcess;
  keeper: ModelKeeper;
  queue: SerialQueue;
  settings: SettingsTable;
}

const GIGABYTE = 1e9;
/** Facts over fancy; the second try has to come out otherwise. */
const TEMPERATURE = [0.1, 0.7];

export class EngineModel implements SummaryModel {
  readonly name: string;
  readonly contextSize: number;
  readonly #options: EngineModelOptions;

  private constructor(options: EngineModelOptions, model: LoadedModel) {
    this.#options = options;
    this.name = model.name;
    this.contextSize = effectiveContext(model);
  }

  /** Loads the wanted model where that is not done. Throws AppError where there is none. */
  static async open(options: EngineModelOptions): Promise<EngineModel> {
    return new EngineModel(options, await options.keeper.ensure());
  }

  /** The loaded one, where there is one. */
  static loaded(options: EngineModelOptions): EngineModel | undefined {
    const { status } = options.keeper;
    return status.state === 'ready' ? new EngineModel(options, status.model) : undefined;
  }

  countTokens(texts: readonly string[]): Promise<number[]> {
    return this.#options.engine.countTokens(texts.map((text) => ({ kind: 'text', text })));
  }

  async countPrompt(turns: ChatTurn[]): Promise<number> {
    return (await this.#options.engine.countTokens([{ kind: 'chat', turns }]))[0] ?? 0;
  }

  async generate(
    turns: ChatTurn[],
    { maxTokens, attempt, keep, signal, onDelta, onPrefill }: GenerateOptions,
  ): Promise<Generated> {
    const { engine, keeper, queue, settings } = this.#options;
    const result = await queue.run(async () => {
      await keeper.ensure();
      const temperature = TEMPERATURE[attempt - 1] ?? 1;
      const sampling = { ...DEFAULT_SAMPLING, temperature, repetitionWindow: 128, stop: [], maxTokens };
      const { attention, keptReadingGigabytes } = settings.get();
      const bytes = keptReadingGigabytes * GIGABYTE;
      return generate(
        engine,
        {
          prompt: { kind: 'chat', turns },
          sampling,
          attention,
          ...(keep === undefined || bytes === 0
            ? {}
            : { keep: { documents: [...keep.documents], tokens: keep.tokens, bytes } }),
        },
        {
          progress: ({ stage, done, total }) => {
            if (stage === 'prefill') onPrefill(done, total);
          },
          delta: onDelta,
        },
        signal,
      );
    }, signal);
    if (result === undefined) throw new AppError('cancelled', 'It was stopped.');
    return generatedFrom(result);
  }
}
