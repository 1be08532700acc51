/** Trials of the engine, each in its turn among chat questions, told to the windows as they go. */
import type { AppEvent } from '../../contract/channels.ts';
import type { Energy, LoadedModel, Progress, Trial } from '../../contract/engine.ts';
import { AppError } from '../../contract/errors.ts';
import { rate, untilStopped } from '../chat/generate.ts';
import type { ModelKeeper } from '../chat/model-keeper.ts';
import type { SerialQueue } from '../chat/serial-queue.ts';
import type { EngineProcess, GenerateListener } from '../engine-process.ts';
import type { Attempt } from './core/run.ts';

export interface TrialsOptions {
  engine: EngineProcess;
  keeper: Pick<ModelKeeper, 'ensure'>;
  /** That of answers. */
  queue: SerialQueue;
  emit: (event: AppEvent) => void;
  /** Starts to count energy; what it returns tells what was used since, where there is a sensor. */
  energyFromNow: () => () => Energy | undefined;
}

export type TrialBody = Parameters<EngineProcess['trial']>[0];

/** What a trial belongs to. */
export interface TrialPlace {
  comparisonId: string;
  row: number;
  /** The model of the comparison: another one's answers do not belong to it. */
  model: LoadedModel;
  signal: AbortSignal;
}

export class Trials {
  readonly #options: TrialsOptions;

  constructor(options: TrialsOptions) {
    this.#options = options;
  }

  /** Throws AppError, kind 'cancelled' where it was stopped before its turn. */
  run(body: TrialBody, place: TrialPlace): Promise<Trial> {
    return this.#inTurn(place, () => this.#trial(body, place));
  }

  /**
   * A trial, compared in the same turn with `full`, the answer of full attention to the same prompt: its tokens, 'itself'
   * where this is that answer, or undefined where there is none. Throws AppError as `run`.
   */
  compared(body: TrialBody, full: readonly number[] | 'itself' | undefined, place: TrialPlace): Promise<Attempt> {
    return this.#inTurn(place, async () => {
      const trial = await this.#trial(body, place);
      if (trial.result.finishReason === 'cancelled' || full === undefined) return trial;
      const { engine } = this.#options;
      const { maxTokens: _, ...asked } = body;
      const answer = [...(full === 'itself' ? trial.result.tokenIds : full)];
      const agreement = await untilStopped(engine, engine.agreement({ ...asked, answer }), place.signal).catch(
        (error) => {
          // The answer is whole; it only goes without the comparison.
          if (AppError.from(error).kind === 'cancelled') return undefined;
          throw error;
        },
      );
      return { ...trial, agreement };
    });
  }

  async #inTurn<T>({ model, signal }: TrialPlace, work: () => Promise<T>): Promise<T> {
    const { queue, keeper } = this.#options;
    const result = await queue.run(async () => {
      const { id, weights, contextSize } = await keeper.ensure();
      if (id !== model.id || weights !== model.weights || contextSize !== model.contextSize) {
        throw new AppError('bad-input', 'Another model was chosen while the comparison ran.', {
          action: 'Compare again with the model that is loaded now.',
        });
      }
      return { made: await work() };
    }, signal);
    if (result === undefined) throw new AppError('cancelled', 'It was stopped.');
    return result.made;
  }

  async #trial(body: TrialBody, place: TrialPlace): Promise<Trial> {
    const { engine, energyFromNow } = this.#options;
    let energyUsed: (() => Energy | undefined) | undefined;
    const listener = this.#listener(place, () => {
      energyUsed = energyFromNow();
    });
    const trial = await untilStopped(engine, engine.trial(body, listener), place.signal);
    const energy = energyUsed?.();
    if (trial.result.deviceProblems?.some(({ hung }) => hung)) engine.renew();
    return energy === undefined ? trial : { ...trial, result: { ...trial.result, energy } };
  }

  /** @param began called once, after the warm-up, when the prompt that is measured begins */
  #listener({ comparisonId, row }: TrialPlace, began: () => void): GenerateListener {
    const { emit } = this.#options;
    const place = { type: 'comparison-progress', comparisonId, row } as const;
    let readFrom: number | undefined;
    let firstToken: { at: number; tokens: number } | undefined;
    let offset = 0;
    return {
      progress: ({ stage, done, total }: Progress) => {
        if (stage !== 'prefill') return;
        if (readFrom === undefined) began();
        readFrom ??= Date.now();
        const tokensPerSecond = rate(done, Date.now() - readFrom);
        emit({ ...place, prefill: { done, total }, tokensPerSecond, offset: 0, delta: '' });
      },
      delta: (delta, tokens) => {
        firstToken ??= { at: Date.now(), tokens };
        const tokensPerSecond = rate(tokens - firstToken.tokens, Date.now() - firstToken.at);
        emit({ ...place, tokensPerSecond, offset, delta });
        offset += delta.length;
      },
    };
  }
}
