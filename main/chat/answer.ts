/** One answer while it grows: tells the windows at a readable pace and the database now and then. */
import type { AppEvent } from '../../contract/channels.ts';
import type { Progress } from '../../contract/engine.ts';
import { AppError } from '../../contract/errors.ts';
import type { Message } from '../../contract/messages.ts';
import type { Ending, MessageTable } from '../storage/messages.ts';
import { rate } from './generate.ts';

/** Faster than a display shows is of no use; a window's work is per event, not per token. */
const SHOW_EVERY_MS = 33;
const SAVE_EVERY_MS = 250;

interface AnswerParts {
  /** As it is stored: the answer goes on from its text. */
  message: Message;
  messages: MessageTable;
  emit: (event: AppEvent) => void;
  log: (line: string) => void;
}

export class Answer {
  readonly #options: AnswerParts;
  #text: string;
  /** Length of the text that the windows have. */
  #shown: number;
  #tokensPerSecond = 0;
  #firstToken: { at: number; tokens: number } | undefined;
  #prefill: { at: number; done: number; purpose: 'answer' | 'note' } | undefined;
  #show: NodeJS.Timeout | undefined;
  #save: NodeJS.Timeout | undefined;
  #ended = false;

  constructor(options: AnswerParts) {
    this.#options = options;
    this.#text = options.message.text;
    this.#shown = this.#text.length;
  }

  get id(): string {
    return this.#options.message.id;
  }

  get chatId(): string {
    return this.#options.message.chatId;
  }

  /** The text that was there before this answer went on; mostly empty. */
  get begun(): string {
    return this.#options.message.text;
  }

  /** `purpose` 'note': the model reads the chat to condense it, the prompt of the answer follows. */
  progress(progress: Progress, purpose: 'answer' | 'note' = 'answer', now: number = Date.now()): void {
    if (this.#ended || progress.stage !== 'prefill') return;
    if (this.#prefill?.purpose !== purpose || progress.done < this.#prefill.done) {
      this.#prefill = { at: now, done: progress.done, purpose };
    }
    this.#options.emit({
      type: 'prefill',
      chatId: this.chatId,
      messageId: this.#options.message.id,
      purpose,
      done: progress.done,
      total: progress.total,
      tokensPerSecond: rate(progress.done - this.#prefill.done, now - this.#prefill.at),
    });
  }

  /** `completionTokens` counts all tokens of the answer so far. */
  append(text: string, completionTokens: number, now: number = Date.now()): void {
    if (this.#ended) return;
    this.#text += text;
    this.#firstToken ??= { at: now, tokens: completionTokens };
    this.#tokensPerSecond = rate(completionTokens - this.#firstToken.tokens, now - this.#firstToken.at);
    this.#show ??= setTimeout(() => this.#showNow(), SHOW_EVERY_MS);
    this.#save ??= setTimeout(() => this.#saveNow(), SAVE_EVERY_MS);
  }

  /** Drops what is new, in the windows too: the question is asked again. */
  startOver(): void {
    if (this.#ended) return;
    for (const timer of [this.#show, this.#save]) if (timer) clearTimeout(timer);
    this.#show = undefined;
    this.#text = this.begun;
    this.#shown = this.#text.length;
    this.#tokensPerSecond = 0;
    this.#firstToken = undefined;
    this.#prefill = undefined;
    this.#saveNow();
    this.#options.emit({ type: 'message', message: this.#options.message });
  }

  /**
   * Stores and tells how it ended, once; later calls and late text do nothing. `text` is the engine's own account of
   * what it added, where there is one; an ending without `result` keeps the figures that were there.
   */
  end({ text, ...ending }: Omit<Ending, 'text'> & { text?: string }): void {
    if (this.#ended) return;
    this.#showNow();
    this.#ended = true;
    if (this.#save) clearTimeout(this.#save);
    const { message, messages, emit, log } = this.#options;
    if (text !== undefined && this.begun + text !== this.#text) {
      const came = this.#text.length - this.begun.length;
      log(`answer ${message.id}: ${came} characters came as deltas, ${text.length} at the end`);
    }
    const result = mergedResult(message.result, ending.result);
    const whole: Ending = {
      ...(message.omitted === undefined ? {} : { omitted: message.omitted }),
      ...ending,
      text: text === undefined ? this.#text : this.begun + text,
      ...(result === undefined ? {} : { result }),
    };
    try {
      const stored = messages.finish(message.id, whole);
      if (stored) emit({ type: 'message', message: stored });
    } catch (error) {
      const failure = AppError.from(error).toInfo();
      log(`answer ${message.id} not saved: ${failure.detail ?? failure.message}`);
      const { detail: _, ...shown } = failure;
      emit({ type: 'message', message: { ...message, ...whole, state: 'failed', error: shown } });
    }
  }

  #showNow(): void {
    if (this.#show) clearTimeout(this.#show);
    this.#show = undefined;
    if (this.#shown === this.#text.length) return;
    const offset = this.#shown;
    this.#shown = this.#text.length;
    this.#options.emit({
      type: 'delta',
      chatId: this.chatId,
      messageId: this.#options.message.id,
      offset,
      delta: this.#text.slice(offset),
      tokensPerSecond: this.#tokensPerSecond,
    });
  }

  #saveNow(): void {
    this.#save = undefined;
    try {
      this.#options.messages.setText(this.#options.message.id, this.#text);
    } catch (error) {
      // The answer goes on in the window; its end tries again and says so if that fails as well.
      this.#options.log(`answer ${this.#options.message.id} not saved yet: ${AppError.from(error).message}`);
    }
  }
}

type Result = NonNullable<Message['result']>;

/**
 * Figures of an answer that went on: generated tokens, their time and the work are summed; prompt and first token stay those
 * of the beginning, and everything else is as in the last part.
 */
export function mergedResult(before: Result | undefined, after: Result | undefined): Result | undefined {
  if (before === undefined || after === undefined) return after ?? before;
  const seconds = before.decode.seconds + after.decode.seconds;
  const decoded =
    before.decode.seconds * before.decode.tokensPerSecond + after.decode.seconds * after.decode.tokensPerSecond;
  const { promptTokens, cachedTokens, prefill, firstTokenMs } = before;
  const work = mergedWork(before.work, after.work);
  const deviceProblems = [...(before.deviceProblems ?? []), ...(after.deviceProblems ?? [])];
  return {
    ...after,
    promptTokens,
    cachedTokens,
    prefill,
    firstTokenMs,
    completionTokens: before.completionTokens + after.completionTokens,
    decode: { seconds, tokensPerSecond: seconds > 0 ? decoded / seconds : 0 },
    ...(work === undefined ? {} : { work }),
    ...(deviceProblems.length === 0 ? {} : { deviceProblems }),
  };
}

function mergedWork(before: Result['work'], after: Result['work']): Result['work'] {
  if (before === undefined || after === undefined) return after ?? before;
  const sums = new Map<string, (typeof before)[number]>();
  for (const one of [...before, ...after]) {
    const key = `${one.part} ${one.device}`;
    const sum = sums.get(key);
    sums.set(key, sum ? { ...one, launches: sum.launches + one.launches, ms: sum.ms + one.ms } : one);
  }
  return [...sums.values()];
}
