/** The loaded model as summaries and questions about documents see it. */
import type { ChatTurn } from '../../contract/engine.ts';
import { effectiveContext } from '../documents/summarise/effective-context.ts';
import {
  type Generated,
  type GenerateOptions,
  generatedFrom,
  type SummaryModel,
} from '../documents/summarise/model.ts';
import type { Engine } from '../engine/engine.ts';
import { parametersOf } from '../engine/model/config.ts';
import { attentionOf } from './attention.ts';
import type { OptionValues } from './options.ts';
import { samplingOf } from './session.ts';

/** As in the app. */
const DEFAULT_KEEP_GB = 2;

export class CommandLineModel implements SummaryModel {
  readonly name: string;
  readonly contextSize: number;
  readonly #engine: Engine;
  readonly #values: OptionValues;

  /** Of an engine with a loaded model. */
  constructor(engine: Engine, values: OptionValues) {
    this.#engine = engine;
    this.#values = values;
    const { bundle, contextSize } = engine.model;
    this.name = bundle.manifest.name;
    // Who asks for a context wants to see what comes of it.
    this.contextSize =
      values.ctx === undefined
        ? effectiveContext({ parameters: parametersOf(bundle.manifest.config), contextSize })
        : contextSize;
  }

  countTokens(texts: readonly string[]): Promise<number[]> {
    return this.#engine.countTokens(texts.map((text) => ({ kind: 'text', text })));
  }

  async countPrompt(turns: ChatTurn[]): Promise<number> {
    return (await this.#engine.countTokens([{ kind: 'chat', turns }]))[0] ?? 0;
  }

  async generate(
    turns: ChatTurn[],
    { maxTokens, attempt, keep, signal, onDelta, onPrefill }: GenerateOptions,
  ): Promise<Generated> {
    const sampling = { ...samplingOf(this.#values), maxTokens };
    // As in the app: small models go in circles without it.
    if (this.#values['repeat-penalty'] === undefined) sampling.repetitionPenalty = 1.1;
    // Facts over fancy unless the user says otherwise; the second try has to come out otherwise.
    if (this.#values.temperature === undefined) sampling.temperature = attempt === 1 ? 0.1 : 0.7;
    const bytes = (this.#values['keep-gb'] ?? DEFAULT_KEEP_GB) * 1e9;
    return generatedFrom(
      await this.#engine.generate(
        {
          prompt: { kind: 'chat', turns },
          sampling,
          attention: attentionOf(this.#values),
          ...(keep === undefined || bytes === 0
            ? {}
            : { keep: { documents: [...keep.documents], tokens: keep.tokens, bytes } }),
        },
        { signal, onPrefill, onDelta },
      ),
    );
  }
}
