/**
 * Titles by the model: after an answer, while nobody waits, the model is asked for one as a further turn of the same
 * conversation, which is in its cache. The next question ends that at once.
 */
import type { AppEvent } from '../../contract/channels.ts';
import { AppError } from '../../contract/errors.ts';
import type { EngineProcess } from '../engine-process.ts';
import type { Storage } from '../storage/storage.ts';
import type { Made } from './answerer.ts';
import { generate } from './generate.ts';
import type { SerialQueue } from './serial-queue.ts';
import { titleFromModel } from './title.ts';

/** Longest title, in tokens; Chinese characters can take two. */
const TITLE_TOKENS = 40;

const REQUEST =
  'Write a title for this conversation: two to six words, in the language of my first message. ' +
  'Answer with the title only, without quotation marks.';

export interface TitlerOptions {
  engine: EngineProcess;
  storage: Storage;
  queue: SerialQueue;
  emit: (event: AppEvent) => void;
  log: (line: string) => void;
  /** Whether a question waits or is being answered. */
  isBusy: () => boolean;
  cancelPatienceMs?: number | undefined;
}

export class Titler {
  readonly #options: TitlerOptions;
  #abort: AbortController | undefined;
  /** Chats for which the model found no usable title. */
  readonly #hopeless = new Set<string>();

  constructor(options: TitlerOptions) {
    this.#options = options;
  }

  /** Ends what is under way; the chat gets its title after another answer. */
  cancel(): void {
    this.#abort?.abort();
    this.#abort = undefined;
  }

  /** To be told of every complete answer. Does nothing where the chat has a title by the model or a person. */
  later(chatId: string, made: Made): void {
    if (!this.#isWanted(chatId) || this.#options.isBusy()) return;
    const abort = new AbortController();
    this.#abort = abort;
    void this.#options.queue
      .run(() => this.#write(chatId, made, abort.signal), abort.signal)
      .catch((thrown: unknown) => {
        // The title from the question stays, which is good enough.
        const { kind, message } = AppError.from(thrown);
        this.#options.log(`no title for a chat: ${kind}: ${message}`);
      });
  }

  #isWanted(chatId: string): boolean {
    const { storage } = this.#options;
    const isOn = storage.settings.get().autoTitle && !this.#hopeless.has(chatId);
    return isOn && storage.chats.titledBy(chatId) === 'question';
  }

  async #write(chatId: string, { turns, options, model }: Made, signal: AbortSignal): Promise<void> {
    const { engine, storage, emit, cancelPatienceMs } = this.#options;
    const prompt = { kind: 'chat' as const, turns: [...turns, { role: 'user' as const, content: REQUEST }] };
    const [tokens = 0] = await engine.countTokens([prompt]);
    if (tokens + TITLE_TOKENS > model.contextSize || signal.aborted) return;
    // Words of the conversation are what a title is made of: no penalty for them.
    const sampling = { ...options.sampling, temperature: 0, repetitionPenalty: 1, stop: [], maxTokens: TITLE_TOKENS };
    const body = { prompt, sampling, attention: options.attention, aside: true };
    const quiet = { progress: () => undefined, delta: () => undefined };
    const { text, finishReason } = await generate(engine, body, quiet, signal, cancelPatienceMs);
    if (finishReason === 'cancelled') return;
    const title = finishReason === 'stop' ? titleFromModel(text) : undefined;
    if (title === undefined) this.#hopeless.add(chatId);
    // Renamed by a person, or deleted, meanwhile.
    else if (this.#isWanted(chatId)) {
      emit({ type: 'chat', chat: storage.chats.change(chatId, { title, titledBy: 'model' }) });
    }
  }
}
