/** One answer while it grows: tells the windows at a readable pace and the database now and then. */
import type { AppEvent } from '../../contract/channels.ts';
import type { Progress } from '../../contract/engine.ts';
import { AppError, type ErrorInfo } from '../../contract/errors.ts';
import type { Message } from '../../contract/messages.ts';
import type { Ending, MessageTable } from '../storage/messages.ts';

/** Faster than a display shows is of no use; a window's work is per event, not per token. */
const SHOW_EVERY_MS = 33;
const SAVE_EVERY_MS = 250;

export interface AnswerOptions {
  message: Message;
  messages: MessageTable;
  emit: (event: AppEvent) => void;
  log: (line: string) => void;
}

export class Answer {
  readonly #options: AnswerOptions;
  #text = '';
  #shown = 0;
  #tokensPerSecond = 0;
  #firstToken: { at: number; tokens: number } | undefined;
  #prefill: { at: number; done: number } | undefined;
  #show: NodeJS.Timeout | undefined;
  #save: NodeJS.Timeout | undefined;
  #ended = false;

  constructor(options: AnswerOptions) {
    this.#options = options;
  }

  get text(): string {
    return this.#text;
  }

  get chatId(): string {
    return this.#options.message.chatId;
  }

  progress(progress: Progress, now: number = Date.now()): void {
    if (this.#ended || progress.stage !== 'prefill') return;
    this.#prefill ??= { at: now, done: progress.done };
    this.#options.emit({
      type: 'prefill',
      chatId: this.chatId,
      messageId: this.#options.message.id,
      purpose: 'answer',
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

  /** Drops the text so far, in the windows too: the question is asked again. */
  startOver(): void {
    if (this.#ended) return;
    for (const timer of [this.#show, this.#save]) if (timer) clearTimeout(timer);
    this.#show = undefined;
    this.#text = '';
    this.#shown = 0;
    this.#tokensPerSecond = 0;
    this.#firstToken = undefined;
    this.#prefill = undefined;
    this.#saveNow();
    this.#options.emit({ type: 'message', message: { ...this.#options.message, text: '' } });
  }

  /**
   * Stores and tells how it ended, once; later calls and late text do nothing. `text` is the engine's own account of
   * the whole, where there is one.
   */
  end(ending: Omit<Ending, 'text'> & { text?: string }): void {
    if (this.#ended) return;
    this.#showNow();
    this.#ended = true;
    if (this.#save) clearTimeout(this.#save);
    const { message, messages, emit, log } = this.#options;
    if (ending.text !== undefined && ending.text !== this.#text) {
      log(`answer ${message.id}: ${this.#text.length} characters came as deltas, ${ending.text.length} at the end`);
    }
    const whole = { ...ending, text: ending.text ?? this.#text };
    try {
      const stored = messages.finish(message.id, whole);
      if (stored) emit({ type: 'message', message: stored });
    } catch (error) {
      const failure = AppError.from(error).toInfo();
      log(`answer ${message.id} not saved: ${failure.detail ?? failure.message}`);
      emit({
        type: 'message',
        message: { ...message, ...withoutDetail({ ...whole, state: 'failed', error: failure }) },
      });
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

function rate(count: number, milliseconds: number): number {
  return milliseconds > 0 ? (count * 1000) / milliseconds : 0;
}

function withoutDetail<T extends { error?: ErrorInfo | undefined }>(ending: T): T {
  if (!ending.error) return ending;
  const { detail: _, ...error } = ending.error;
  return { ...ending, error };
}
