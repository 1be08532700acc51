/** Makes one answer: loads the model, makes the conversation fit, generates, and asks once more without a device that crashed. */
import type { AppEvent } from '../../contract/channels.ts';
import type { ChatTurn, DeviceProblem, Energy, GenerateResult, LoadedModel, Prompt } from '../../contract/engine.ts';
import { AppError } from '../../contract/errors.ts';
import { DeviceCrash } from '../engine-exit.ts';
import type { EngineProcess } from '../engine-process.ts';
import type { Storage } from '../storage/storage.ts';
import type { Answer } from './answer.ts';
import { type AnswerOptions, answerOptions, reserveFor } from './answer-options.ts';
import { fitOrThrow, OverLimit } from './fit.ts';
import { generate } from './generate.ts';
import type { ModelKeeper } from './model-keeper.ts';
import { Notes } from './notes.ts';
import type { Presets } from './presets.ts';
import { questionText } from './question-text.ts';
import { stopIfAborted, stopped } from './stop.ts';
import { pastOf } from './turns.ts';

export interface AnswererOptions {
  engine: EngineProcess;
  keeper: ModelKeeper;
  storage: Storage;
  presets: Presets;
  emit: (event: AppEvent) => void;
  log: (line: string) => void;
  /** Starts to count energy; what it returns tells what was used since, where there is a sensor. */
  energyFromNow?: (() => () => Energy | undefined) | undefined;
  cancelPatienceMs?: number | undefined;
}

/** An answer that waits or is being made. */
export interface Job {
  answer: Answer;
  abort: AbortController;
  /** Its turn has come: from here on the answer's end is told by whoever makes it. */
  begun: boolean;
  /** Has the model condense the beginning of the chat first. */
  condense?: boolean;
  /** The first message of a new chat, which is the note for the path to `of` in another chat. */
  opening?: { answer: Answer; of: string };
}

/** What an answer was made from, for those who go on from it. */
export interface Made {
  /** The conversation that the model has read, with its answer at the end. */
  turns: ChatTurn[];
  options: AnswerOptions;
  model: LoadedModel;
}

export class Answerer {
  readonly #options: AnswererOptions;
  /** Exchanges that no longer fit, by chat id: the next prompt starts where the last one did, and so does the cache. */
  readonly #dropped = new Map<string, number>();

  readonly #notes: Notes;

  constructor(options: AnswererOptions) {
    this.#options = options;
    this.#notes = new Notes(options);
  }

  /** Exchanges that the next prompt of the chat leaves out at least. */
  droppedOf(chatId: string): number {
    return this.#dropped.get(chatId) ?? 0;
  }

  /** How answers of a chat (null: one that does not exist yet) are made now. */
  optionsOf(chatId: string | null): AnswerOptions {
    const { storage, presets } = this.#options;
    const chat = chatId === null ? undefined : storage.chats.get(chatId);
    return answerOptions(storage.settings.get(), chat?.options, presets.list());
  }

  /** Resolves when the answer has ended, however it did; with what it was made from where it is complete. */
  async run(job: Job): Promise<Made | undefined> {
    const { answer, opening, abort } = job;
    try {
      job.begun = true;
      return await this.#make(job);
    } catch (thrown) {
      const { detail, ...error } = AppError.from(thrown).toInfo();
      if (abort.signal.aborted || error.kind === 'cancelled') {
        for (const one of [opening?.answer, answer]) one?.end({ state: 'stopped' });
        return undefined;
      }
      this.#options.log(`answer ${answer.id} failed: ${error.kind}: ${detail ?? error.message}`);
      opening?.answer.end({ state: 'failed', error });
      const limit = thrown instanceof OverLimit ? { limit: thrown.limit } : {};
      answer.end({ state: 'failed', error, ...limit });
      return undefined;
    }
  }

  async #make(job: Job): Promise<Made | undefined> {
    const { answer, abort } = job;
    let model = await this.#loaded(abort.signal);
    let options = this.optionsOf(answer.chatId);
    const using = { options, model, signal: abort.signal };
    if (job.opening) await this.#notes.open(job.opening.answer, job.opening.of, using);
    if (job.condense && (await this.#notes.condense(answer, using))) this.#dropped.delete(answer.chatId);
    let crash: DeviceCrash | undefined;
    for (;;) {
      try {
        const { prompt, turns, omitted } = await this.#prompt(answer, options, model);
        stopIfAborted(abort.signal);
        const result = await this.#generate(prompt, options, answer, abort.signal);
        this.#end(answer, crash ? withCrash(result, crash) : result, omitted);
        if (result.finishReason === 'cancelled') return undefined;
        return { turns: [...turns, { role: 'assistant', content: answer.begun + result.text }], options, model };
      } catch (error) {
        if (!(error instanceof DeviceCrash) || crash !== undefined || abort.signal.aborted) throw error;
        // Once more, without the devices: the keeper loads the model that way.
        crash = error;
        this.#options.log(`asked again without ${error.uses.map(({ device }) => device).join(', ')}`);
        answer.startOver();
        options = withoutPilot(options);
        model = await this.#loaded(abort.signal);
      }
    }
  }

  async #loaded(signal: AbortSignal): Promise<LoadedModel> {
    const { keeper } = this.#options;
    // A device that ends the engine while the model is placed on it is left out the next time.
    const loaded = keeper.ensure().catch((error) => {
      if (error instanceof DeviceCrash) return keeper.ensure();
      throw error;
    });
    const model = await Promise.race([loaded, aborted(signal)]);
    if (model) return model;
    throw stopped();
  }

  /** The prompt for an answer, with as much of its path as fits. Throws OverLimit. */
  async #prompt(
    answer: Answer,
    options: AnswerOptions,
    model: LoadedModel,
  ): Promise<{ prompt: Prompt; turns: ChatTurn[]; omitted: number }> {
    const { storage, engine } = this.#options;
    const path = storage.messages.pathTo(answer.id);
    const question = path.at(-2);
    if (question === undefined) throw stopped(); // the chat has been deleted meanwhile
    const { begun } = answer;
    const promptOf = (turns: ChatTurn[]): Prompt =>
      begun === '' ? { kind: 'chat', turns } : { kind: 'continue', turns, text: begun };
    const { turns, dropped } = await fitOrThrow({
      systemPrompt: options.systemPrompt,
      past: pastOf(path.slice(0, -2), (message) => questionText(storage, message)),
      question: { role: 'user', content: questionText(storage, question) },
      available: model.contextSize - reserveFor(options, model.contextSize),
      dropped: this.droppedOf(answer.chatId),
      mayDrop: options.atLimit === 'drop-oldest',
      count: async (some) => (await engine.countTokens([promptOf(some)]))[0] ?? 0,
    });
    this.#dropped.set(answer.chatId, dropped);
    return { prompt: promptOf(turns), turns, omitted: dropped * 2 };
  }

  #end(answer: Answer, result: GenerateResult, omitted: number): void {
    const { text, tokenIds: _, ...figures } = result;
    answer.end({
      text,
      state: result.finishReason === 'cancelled' ? 'stopped' : 'complete',
      result: figures,
      ...(omitted > 0 ? { omitted } : {}),
    });
    if (result.deviceProblems?.some(({ hung }) => hung)) this.#options.engine.renew();
  }

  async #generate(
    prompt: Prompt,
    options: AnswerOptions,
    answer: Answer,
    signal: AbortSignal,
  ): Promise<GenerateResult> {
    const { sampling, attention } = options;
    const listener = {
      progress: (progress: Parameters<Answer['progress']>[0]) => answer.progress(progress),
      delta: (text: string, completionTokens: number) => answer.append(text, completionTokens),
    };
    const energyUsed = this.#options.energyFromNow?.();
    const result = await generate(
      this.#options.engine,
      { prompt, sampling, attention },
      listener,
      signal,
      this.#options.cancelPatienceMs,
    );
    const energy = energyUsed?.();
    return energy === undefined ? result : { ...result, energy };
  }
}

/** A pilot device that was asked for by name is not asked again. */
function withoutPilot(options: AnswerOptions): AnswerOptions {
  const { pilot: _, ...attention } = options.attention;
  return { ...options, attention };
}

/** The answer of the second try, with what happened in the first. */
function withCrash(result: GenerateResult, { uses, phrases }: DeviceCrash): GenerateResult {
  const problems: DeviceProblem[] = uses.map((use) => ({ ...use, reason: phrases.message }));
  return { ...result, deviceProblems: [...problems, ...(result.deviceProblems ?? [])] };
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
