/**
 * Questions and answers: stores the question, waits for its turn at the engine, streams the answer to the windows and
 * the database. One answer is computed at a time; further questions wait, whichever chat they belong to.
 */
import type { AppEvent } from '../../contract/channels.ts';
import { AppError } from '../../contract/errors.ts';
import type { LimitChoice, Message } from '../../contract/messages.ts';
import { phrase } from '../../contract/phrase.ts';
import type { EngineProcess } from '../engine-process.ts';
import { NEW_CHAT_TITLE } from '../storage/chats.ts';
import type { NewQuestion } from '../storage/messages.ts';
import type { Storage } from '../storage/storage.ts';
import { Answer } from './answer.ts';
import type { Answerer, Job } from './answerer.ts';
import type { SerialQueue } from './serial-queue.ts';
import { titleFrom } from './title.ts';
import { Titler } from './titler.ts';

export interface ChatServiceOptions {
  engine: EngineProcess;
  answerer: Answerer;
  storage: Storage;
  emit: (event: AppEvent) => void;
  log: (line: string) => void;
  cancelPatienceMs?: number | undefined;
  /** Shared with whoever else loads models, so that no load comes in the middle of an answer. */
  queue: SerialQueue;
}

export interface Question {
  chatId: string;
  text: string;
  attachments?: readonly string[] | undefined;
  /** The message before it; absent: the path's end. Null: the beginning. */
  after?: string | null | undefined;
}

export class ChatService {
  readonly #options: ChatServiceOptions;
  readonly #titler: Titler;
  /** Jobs that wait or run, by the ids of their answers. */
  readonly #jobs = new Map<string, Job>();

  constructor(options: ChatServiceOptions) {
    this.#options = options;
    this.#titler = new Titler({ ...options, isBusy: () => this.#jobs.size > 0 });
  }

  /** Stores the question and an empty answer and returns both at once; text follows as events. Throws AppError. */
  send({ chatId, text, attachments = [], after }: Question): { question: Message; answer: Message } {
    const { storage, emit } = this.#options;
    storage.chats.get(chatId);
    if (text.trim() === '' && attachments.length === 0) {
      throw new AppError('bad-input', 'The question is empty.', { action: 'Write something or attach a file first.' });
    }
    this.#assertReady(attachments);
    const parentId = after === undefined ? storage.messages.leafOf(chatId) : this.#place(chatId, after);
    const exchange = this.#ask({ chatId, text, parentId, attachments });
    if (after === undefined) {
      storage.drafts.setText(chatId, '');
      emit({ type: 'draft', chatId, text: '' });
      emit({ type: 'attachments', chatId, attachments: storage.attachments.ofDraft(chatId) });
    }
    return exchange;
  }

  /** Another answer to the same question. Throws AppError 'bad-input' where there is no question before it. */
  regenerate(messageId: string): { answer: Message } {
    const { storage } = this.#options;
    const { parentId } = this.#answerOf(messageId);
    const question = parentId === null ? undefined : storage.messages.find(parentId);
    if (question?.role !== 'user') {
      throw new AppError('bad-input', 'This message has no question that could be answered again.');
    }
    this.stop(messageId);
    const answer = storage.messages.addAnswer(question);
    this.#shown(answer);
    this.#start({ answer: this.#grow(answer) });
    return { answer };
  }

  /** A stopped, failed or cut answer goes on in the same message. Throws AppError 'bad-input' where it cannot. */
  continue(messageId: string): { answer: Message } {
    const { storage } = this.#options;
    const message = this.#answerOf(messageId);
    const isCut = message.state !== 'complete' || message.result?.finishReason === 'length';
    if (message.state === 'streaming' || message.text === '' || !isCut || message.parentId === null) {
      throw new AppError('bad-input', 'This answer cannot go on.', { action: 'Have it answered anew instead.' });
    }
    if (storage.messages.hasChildren(message)) {
      throw new AppError('bad-input', 'This answer has been followed by a question.', {
        action: 'Ask the model to go on, or have the question answered anew.',
      });
    }
    return { answer: this.#goOn(message) };
  }

  /** Shows the branch of a message at its newest end. */
  select(messageId: string): Message[] {
    const path = this.#options.storage.messages.select(messageId);
    const leaf = path.at(-1);
    if (leaf) this.#options.emit({ type: 'branch', chatId: leaf.chatId, leafId: leaf.id });
    return path;
  }

  /** Goes on with an answer that was too long for the context. Throws AppError 'bad-input' where the choice does not help. */
  resolve(messageId: string, choice: LimitChoice): { chatId: string; answer: Message } {
    const { storage, emit } = this.#options;
    const message = this.#answerOf(messageId);
    if (!message.limit?.choices.includes(choice)) {
      throw new AppError('bad-input', 'This does not help here.', { action: 'Shorten the question.' });
    }
    if (choice === 'new-chat') return this.#goOnElsewhere(message);
    const { chatId } = message;
    if (choice === 'drop-oldest') {
      const { options } = storage.chats.get(chatId);
      emit({ type: 'chat', chat: storage.chats.change(chatId, { options: { ...options, atLimit: 'drop-oldest' } }) });
    }
    return { chatId, answer: this.#goOn(message, { condense: choice === 'condense' }) };
  }

  /** Keeps the text so far. Stopping what has ended, or never was, is no error: the answer may just have finished. */
  stop(messageId: string): void {
    const job = this.#jobs.get(messageId);
    if (!job) return;
    job.abort.abort();
    if (!job.begun) for (const answer of answersOf(job)) answer.end({ state: 'stopped' });
  }

  /** Ends the answers of these chats that wait or stream. */
  stopIn(chatIds: readonly string[]): void {
    const gone = new Set(chatIds);
    for (const [messageId, { answer }] of this.#jobs) if (gone.has(answer.chatId)) this.stop(messageId);
  }

  /** For the end of the app: every open answer counts as stopped, with its text so far. */
  shutDown(): void {
    for (const job of new Set(this.#jobs.values())) {
      for (const answer of answersOf(job)) answer.end({ state: 'stopped' });
      job.abort.abort();
    }
    this.#titler.cancel();
  }

  #ask(asked: NewQuestion): { question: Message; answer: Message } {
    const { storage, emit } = this.#options;
    const exchange = storage.messages.addExchange(asked);
    const { chatId, text } = asked;
    if (storage.chats.titledBy(chatId) === 'nobody') {
      const title = titleFrom(text, exchange.question.attachments?.[0]?.name ?? NEW_CHAT_TITLE);
      storage.chats.change(chatId, { title, titledBy: 'question' });
    }
    emit({ type: 'chat', chat: storage.chats.touch(chatId) });
    this.#shown(exchange.answer);
    this.#start({ answer: this.#grow(exchange.answer) });
    return exchange;
  }

  #goOn(message: Message, more: Partial<Job> = {}): Message {
    const { storage, emit } = this.#options;
    const answer = storage.messages.reopen(message.id);
    emit({ type: 'message', message: answer });
    this.#start({ answer: this.#grow(answer), ...more });
    return answer;
  }

  /** The question of a failed answer, asked in a new chat that begins with a note for the messages before it. */
  #goOnElsewhere(failed: Message): { chatId: string; answer: Message } {
    const { storage, emit } = this.#options;
    const { messages } = storage;
    const question = failed.parentId === null ? undefined : messages.find(failed.parentId);
    if (question?.parentId == null) throw new AppError('bad-input', 'There is nothing before this question.');
    const { folderId, options } = storage.chats.get(failed.chatId);
    const chat = storage.chats.create({
      ...(folderId === undefined ? {} : { folderId }),
      ...(options === undefined ? {} : { options }),
    });
    const opening = messages.addOpening(chat.id);
    const { text, attachments = [] } = question;
    const ids = attachments.map(({ id }) => id);
    const { answer } = messages.addExchange({ chatId: chat.id, text, parentId: opening.id, attachments: ids });
    storage.chats.change(chat.id, { title: titleFrom(text, NEW_CHAT_TITLE), titledBy: 'question' });
    emit({ type: 'chat', chat: storage.chats.get(chat.id) });
    this.#shown(answer);
    this.#start({
      answer: this.#grow(answer),
      opening: { answer: this.#grow(opening), of: question.parentId },
    });
    return { chatId: chat.id, answer };
  }

  #start(parts: Omit<Job, 'abort' | 'begun'>): void {
    const job: Job = { ...parts, abort: new AbortController(), begun: false };
    const ids = answersOf(job).map(({ id }) => id);
    this.#titler.cancel();
    for (const id of ids) this.#jobs.set(id, job);
    void this.#options.queue
      .run(() => this.#options.answerer.run(job), job.abort.signal)
      .finally(() => {
        for (const id of ids) this.#jobs.delete(id);
      })
      .then((made) => made && this.#titler.later(job.answer.chatId, made));
  }

  #grow(message: Message): Answer {
    const { storage, emit, log } = this.#options;
    return new Answer({ message, messages: storage.messages, emit, log });
  }

  #shown({ chatId, id }: Message): void {
    this.#options.emit({ type: 'branch', chatId, leafId: id });
  }

  #answerOf(messageId: string): Message {
    const message = this.#options.storage.messages.get(messageId);
    if (message.role === 'assistant') return message;
    throw new AppError('bad-input', 'This message is no answer.');
  }

  /** Where a question of a branch hangs: after an answer of the same chat, or at the beginning. */
  #place(chatId: string, after: string | null): string | null {
    if (after === null) return null;
    const message = this.#answerOf(after);
    if (message.chatId !== chatId) throw new AppError('bad-input', 'This answer belongs to another chat.');
    return after;
  }

  #assertReady(attachments: readonly string[]): void {
    for (const id of attachments) {
      const { name, state } = this.#options.storage.attachments.find(id)?.attachment ?? {};
      if (state === undefined || state === 'ready') continue;
      throw state === 'reading'
        ? new AppError('bad-input', phrase`${name} is still being read.`, { action: 'Wait a moment, or remove it.' })
        : new AppError('bad-input', phrase`${name} could not be read.`, { action: 'Remove it, or try it again.' });
    }
  }
}

function answersOf({ answer, opening }: Job): Answer[] {
  return opening ? [opening.answer, answer] : [answer];
}
