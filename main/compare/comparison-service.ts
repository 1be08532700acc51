/** Comparisons in the app: one at a time, each way of answering waiting its turn, stopped, kept and told to the windows. */
import { randomUUID } from 'node:crypto';
import type { AppEvent } from '../../contract/channels.ts';
import type {
  ComparePlan,
  CompareSource,
  Comparison,
  Curve,
  CurvePlan,
  KeptComparison,
  Variant,
} from '../../contract/compare.ts';
import type { LoadedModel } from '../../contract/engine.ts';
import { AppError } from '../../contract/errors.ts';
import type { ModelKeeper } from '../chat/model-keeper.ts';
import type { Storage } from '../storage/storage.ts';
import { type ComparedPrompt, ComparedPrompts, type PromptParts } from './compared-prompt.ts';
import { runVariants, waitingRow } from './core/run.ts';
import { curveRuns, planCurve } from './curve-plan.ts';
import type { Trials } from './trials.ts';

export interface ComparisonServiceOptions extends PromptParts {
  storage: Storage;
  keeper: Pick<ModelKeeper, 'ensure'>;
  trials: Trials;
  /** A text to measure prompts of any length with. */
  sampleText: () => Promise<string>;
  /** Processor, cores and system. */
  machine: string;
  /** Mean share of the keys that shadow attention keeps by default. */
  shadowRatio: number;
  emit: (event: AppEvent) => void;
  log: (line: string) => void;
}

/** What every comparison begins with. */
type Heading = Pick<KeptComparison, 'id' | 'createdAt' | 'state' | 'model' | 'weights' | 'machine'>;

/** A prompt of this many tokens and more tells how fast prompts are read. */
const TELLING_TOKENS = 200;

export class ComparisonService {
  readonly #options: ComparisonServiceOptions;
  readonly #prompts: ComparedPrompts;
  #running: { id: string; abort: AbortController } | undefined;

  constructor(options: ComparisonServiceOptions) {
    this.#options = options;
    this.#prompts = new ComparedPrompts(options);
  }

  /** Throws AppError: no model, a document that was not read, no room for the prompt. */
  async plan(source: CompareSource, maxTokens: number): Promise<ComparePlan> {
    const model = await this.#options.keeper.ensure();
    const { promptTokens, cut } = await this.#prompts.of(source, maxTokens, model);
    return { promptTokens, ...(cut === undefined ? {} : { cut }) };
  }

  /** Returns at once; rows follow as events. Throws AppError as `plan`, and 'engine-busy' while another one runs. */
  start(source: CompareSource, maxTokens: number, variants: readonly Variant[]): Promise<Comparison> {
    return this.#begin(async (begun) => {
      const model = await this.#options.keeper.ensure();
      const { turns, ...told } = await this.#prompts.of(source, maxTokens, model);
      const rows = variants.map(waitingRow);
      const comparison: Comparison = { kind: 'answers', ...begun(model), ...told, maxTokens, rows };
      return { kept: comparison, run: (signal) => this.#compare(comparison, turns, model, signal) };
    });
  }

  /** Throws AppError where there is no model. */
  async planCurve(): Promise<CurvePlan> {
    const { keeper, storage } = this.#options;
    const { name, contextSize } = await keeper.ensure();
    const last = storage.messages.lastResult(name);
    const telling = last !== undefined && last.promptTokens - last.cachedTokens >= TELLING_TOKENS;
    return planCurve(
      contextSize,
      storage.comparisons.lastCurve(name),
      telling ? last.prefill.tokensPerSecond : undefined,
    );
  }

  /** Returns at once; points follow as events. Throws AppError as `start`. */
  startCurve(): Promise<Curve> {
    return this.#begin(async (begun) => {
      const { lengths } = await this.planCurve();
      const model = await this.#options.keeper.ensure();
      const curve: Curve = { kind: 'curve', ...begun(model), lengths, ratio: this.#options.shadowRatio, points: [] };
      return { kept: curve, run: (signal) => this.#measure(curve, model, signal) };
    });
  }

  /** Keeps what is done. */
  stop(comparisonId: string): void {
    if (this.#running?.id === comparisonId) this.#running.abort.abort();
  }

  remove(comparisonId: string): void {
    this.stop(comparisonId);
    this.#options.storage.comparisons.remove(comparisonId);
    this.#options.emit({ type: 'comparison-removed', comparisonId });
  }

  shutDown(): void {
    this.#running?.abort.abort();
  }

  /** Makes a comparison and has it run on; only one at a time. */
  async #begin<K extends KeptComparison>(
    make: (begun: (model: LoadedModel) => Heading) => Promise<{
      kept: K;
      run: (signal: AbortSignal) => Promise<KeptComparison>;
    }>,
  ): Promise<K> {
    if (this.#running) {
      throw new AppError('engine-busy', 'Another comparison is running.', { action: 'Stop it first, or wait.' });
    }
    const running = { id: randomUUID(), abort: new AbortController() };
    this.#running = running;
    try {
      const { kept, run } = await make((model) => this.#heading(running.id, model));
      this.#options.storage.comparisons.put(kept);
      this.#options.emit({ type: 'comparison', comparison: kept });
      void run(running.abort.signal)
        .then((ended) => this.#save(ended))
        .catch((error: unknown) => this.#options.log(`comparison not saved: ${AppError.from(error).message}`))
        .finally(() => this.#end(running.id));
      return kept;
    } catch (error) {
      this.#end(running.id);
      throw error;
    }
  }

  #end(id: string): void {
    if (this.#running?.id === id) this.#running = undefined;
  }

  #heading(id: string, { name, weights }: LoadedModel): Heading {
    const { machine } = this.#options;
    return { id, createdAt: Date.now(), state: 'running', model: name, weights, machine };
  }

  async #compare(
    begun: Comparison,
    turns: ComparedPrompt['turns'],
    model: LoadedModel,
    signal: AbortSignal,
  ): Promise<Comparison> {
    const { trials } = this.#options;
    const prompt = { kind: 'chat' as const, turns };
    let comparison = begun;
    await runVariants({
      variants: begun.rows.map(({ variant }) => variant),
      attempt: ({ attention, onProcessor }, row, full) =>
        trials.compared({ prompt, attention, onProcessor, maxTokens: begun.maxTokens }, row === 0 ? 'itself' : full, {
          comparisonId: begun.id,
          row,
          model,
          signal,
        }),
      changed: (index, row) => {
        comparison = { ...comparison, rows: comparison.rows.map((other, at) => (at === index ? row : other)) };
        if (row.error !== undefined)
          this.#options.log(`comparison, row ${index}: ${row.error.kind}: ${row.error.message}`);
        this.#save(comparison);
      },
      signal,
    });
    return { ...comparison, state: endOf(comparison, signal) };
  }

  async #measure(begun: Curve, model: LoadedModel, signal: AbortSignal): Promise<Curve> {
    const { trials, sampleText } = this.#options;
    let curve = begun;
    try {
      const text = await sampleText();
      for (const [row, { mode, tokens }] of curveRuns(begun.lengths).entries()) {
        const attention = { mode, ratio: mode === 'full' ? 1 : begun.ratio };
        const { result } = await trials.run(
          { prompt: { kind: 'raw', text: repeated(text, tokens) }, cutTo: tokens, attention, maxTokens: 1 },
          { comparisonId: begun.id, row, model, signal },
        );
        if (result.finishReason === 'cancelled') return { ...curve, state: 'stopped' };
        const point = { mode, tokens: result.promptTokens, seconds: result.prefill.seconds };
        curve = { ...curve, points: [...curve.points, point] };
        this.#save(curve);
      }
      return { ...curve, state: 'complete' };
    } catch (thrown) {
      const { detail, ...error } = AppError.from(thrown).toInfo();
      if (error.kind === 'cancelled') return { ...curve, state: 'stopped' };
      this.#options.log(`curve: ${error.kind}: ${detail ?? error.message}`);
      return { ...curve, state: 'failed', error };
    }
  }

  #save(comparison: KeptComparison): void {
    const { storage, emit } = this.#options;
    // It may have been removed meanwhile.
    if (storage.comparisons.find(comparison.id) === undefined) return;
    storage.comparisons.put(comparison);
    emit({ type: 'comparison', comparison });
  }
}

function endOf({ rows }: Comparison, signal: AbortSignal): Comparison['state'] {
  if (signal.aborted) return 'stopped';
  return rows.every(({ state }) => state === 'failed') ? 'failed' : 'complete';
}

/** More than enough text for so many tokens, which are hardly ever longer than twelve characters on average. */
function repeated(text: string, tokens: number): string {
  const wanted = tokens * 12;
  return text.repeat(Math.ceil(wanted / text.length)).slice(0, wanted);
}
