/**
 * Questions and answers: stores the question, waits for its turn at the engine, streams the answer to the windows and
 * the database. One answer is computed at a time; further questions wait, whichever chat they belong to.
 */
import type { AppEvent } from '../../contract/channels.ts';
import type { DeviceProblem, GenerateResult, SamplingOptions } from '../../contract/engine.ts';
import { AppError } from '../../contract/errors.ts';
import type { Message } from '../../contract/messages.ts';
import type { Settings } from '../../contract/settings.ts';
import { DeviceCrash } from '../engine-exit.ts';
import type { EngineProcess } from '../engine-process.ts';
import { NEW_CHAT_TITLE } from '../storage/chats.ts';
import type { Storage } from '../storage/storage.ts';
import { Answer } from './answer.ts';
import type { ModelKeeper } from './model-keeper.ts';
import type { SerialQueue } from './serial-queue.ts';
import { titleFrom } from './title.ts';
import { dropMore, type Exchange, historyOf, turnsOf } from './turns.ts';

/** An engine that does not react to a cancel within this time hangs in native code and is ended. */
const CANCEL_PATIENCE_MS = 5000;

/** For small models a little below their makers' advice; the penalty keeps them from going in circles. */
const SAMPLING: Omit<SamplingOptions, 'temperature'> = {
  topK: 40,
  topP: 0.9,
  minP: 0.05,
  repetitionPenalty: 1.1,
  repetitionWindow: 64,
  stop: [],
  maxTokens: 2048,
};

export interface ChatServiceOptions {
  engine: EngineProcess;
  keeper: ModelKeeper;
  storage: Storage;
  /** Shared with whoever else loads models, so that no load comes in the middle of an answer. */
  queue: SerialQueue;
  emit: (event: AppEvent) => void;
  log: (line: string) => void;
  cancelPatienceMs?: number;
}

interface Running {
  answer: Answer;
  abort: AbortController;
  /** The engine has the question: it says itself how a cancelled answer ends. */
  generating: boolean;
}

export class ChatService {
  readonly #options: ChatServiceOptions;
  /** Answers that wait or stream, by message id. */
  readonly #running = new Map<string, Running>();
  /** Exchanges that no longer fit, by chat id: the next prompt starts where the last one did, and so does the cache. */
  readonly #dropped = new Map<string, number>();

  constructor(options: ChatServiceOptions) {
    this.#options = options;
  }

  /** Stores the question and an empty answer and returns both at once; text follows as events. */
  send(chatId: string, text: string): { question: Message; answer: Message } {
    const { storage, emit, log } = this.#options;
    const chat = storage.chats.get(chatId);
    const exchange = storage.messages.addExchange({ chatId, text, parentId: storage.messages.leafOf(chatId) });
    if (chat.title === NEW_CHAT_TITLE)
      storage.chats.change(chatId, { title: titleFrom(text, NEW_CHAT_TITLE), titledBy: 'question' });
    emit({ type: 'chat', chat: storage.chats.touch(chatId) });

    const answer = new Answer({ message: exchange.answer, messages: storage.messages, emit, log });
    const running = { answer, abort: new AbortController(), generating: false };
    this.#running.set(exchange.answer.id, running);
    void this.#options.queue
      .run(() => this.#answer(exchange.answer.id, running), running.abort.signal)
      .finally(() => this.#running.delete(exchange.answer.id));
    return exchange;
  }

  /** Keeps the text so far. Stopping what has ended, or never was, is no error: the answer may just have finished. */
  stop(messageId: string): void {
    const running = this.#running.get(messageId);
    if (!running) return;
    running.abort.abort();
    if (!running.generating) running.answer.end({ state: 'stopped' });
  }

  /** Stops the answers of these chats, which are being deleted. */
  stopIn(chatIds: readonly string[]): void {
    for (const chatId of chatIds) this.#dropped.delete(chatId);
    for (const [messageId, { answer }] of this.#running) if (chatIds.includes(answer.chatId)) this.stop(messageId);
  }

  /** For the end of the app: every open answer counts as stopped, with its text so far. */
  shutDown(): void {
    for (const { answer, abort } of this.#running.values()) {
      answer.end({ state: 'stopped' });
      abort.abort();
    }
  }

  async #answer(messageId: string, running: Running): Promise<void> {
    const { keeper, storage, log } = this.#options;
    const { answer, abort } = running;
    try {
      // A device that ends the engine while the model is placed on it is left out the next time.
      const loaded = keeper.ensure().catch((error) => {
        if (error instanceof DeviceCrash) return keeper.ensure();
        throw error;
      });
      await Promise.race([loaded, aborted(abort.signal)]);
      if (abort.signal.aborted) return;
      running.generating = true;

      const settings = storage.settings.get();
      const { past, question } = historyOf(storage.messages.list(answer.chatId), messageId);
      const { result, dropped } = await this.#fitAndGenerate(settings, past, question, answer, abort.signal);
      const { text, tokenIds: _, ...figures } = result;
      answer.end({
        text,
        state: result.finishReason === 'cancelled' ? 'stopped' : 'complete',
        result: figures,
        ...(dropped > 0 ? { omitted: dropped * 2 } : {}),
      });
      if (result.deviceProblems?.some(({ hung }) => hung)) this.#options.engine.renew();
    } catch (thrown) {
      const { detail, ...error } = AppError.from(thrown).toInfo();
      if (abort.signal.aborted || error.kind === 'cancelled') {
        answer.end({ state: 'stopped' });
        return;
      }
      log(`answer ${messageId} failed: ${error.kind}: ${detail ?? error.message}`);
      answer.end({ state: 'failed', error });
    }
  }

  /** Leaves out the oldest exchanges until the prompt fits. The system prompt and the question are always kept. */
  async #fitAndGenerate(
    settings: Settings,
    past: readonly Exchange[],
    question: string,
    answer: Answer,
    signal: AbortSignal,
  ): Promise<{ result: GenerateResult; dropped: number }> {
    let dropped = Math.min(this.#dropped.get(answer.chatId) ?? 0, past.length);
    let crash: DeviceCrash | undefined;
    for (;;) {
      try {
        const turns = turnsOf(settings.systemPrompt, past, dropped, question);
        const result = await this.#generate(settings, turns, answer, signal);
        this.#dropped.set(answer.chatId, dropped);
        return { result: crash ? withCrash(result, crash) : result, dropped };
      } catch (error) {
        if (error instanceof DeviceCrash && crash === undefined && !signal.aborted) {
          // Once more, without the devices: the keeper loads the model that way.
          crash = error;
          this.#options.log(`asked again without ${error.uses.map(({ device }) => device).join(', ')}`);
          answer.startOver();
          settings = withoutPilot(settings);
          await Promise.race([this.#options.keeper.ensure(), aborted(signal)]);
          if (signal.aborted) throw error;
          continue;
        }
        const more = dropMore(past, dropped);
        const overflow = error instanceof AppError && error.kind === 'context-overflow' && answer.text === '';
        if (!overflow || more === undefined || signal.aborted) throw error;
        dropped = more;
      }
    }
  }

  async #generate(
    settings: Settings,
    turns: ReturnType<typeof turnsOf>,
    answer: Answer,
    signal: AbortSignal,
  ): Promise<GenerateResult> {
    const { engine, cancelPatienceMs = CANCEL_PATIENCE_MS } = this.#options;
    const generation = engine.generate(
      {
        prompt: { kind: 'chat', turns },
        sampling: { ...SAMPLING, temperature: settings.temperature },
        attention: settings.attention,
      },
      {
        progress: (progress) => answer.progress(progress),
        delta: (text, completionTokens) => answer.append(text, completionTokens),
      },
    );
    let patience: NodeJS.Timeout | undefined;
    const cancel = () => {
      patience = setTimeout(() => engine.abandon(), cancelPatienceMs);
      generation.cancel();
    };
    signal.addEventListener('abort', cancel);
    try {
      return await generation.done;
    } finally {
      signal.removeEventListener('abort', cancel);
      clearTimeout(patience);
    }
  }
}

/** A pilot device that was asked for by name is not asked again. */
function withoutPilot(settings: Settings): Settings {
  const { pilot: _, ...attention } = settings.attention;
  return { ...settings, attention };
}

/** The answer of the second try, with what happened in the first. */
function withCrash(result: GenerateResult, { uses, message }: DeviceCrash): GenerateResult {
  const problems: DeviceProblem[] = uses.map((use) => ({ ...use, reason: message }));
  return { ...result, deviceProblems: [...problems, ...(result.deviceProblems ?? [])] };
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
}
