/** Puts notes by the model where a conversation has become too long: in the place of its beginning, or into a new chat. */
import type { AppEvent } from '../../contract/channels.ts';
import type { LoadedModel, Progress } from '../../contract/engine.ts';
import type { EngineProcess } from '../engine-process.ts';
import type { Storage } from '../storage/storage.ts';
import type { Answer } from './answer.ts';
import { type AnswerOptions, reserveFor } from './answer-options.ts';
import { condenseCount, exchangeSizes, type NoteWriter, noteTokens, writeNote } from './condense.ts';
import { generate } from './generate.ts';
import { questionText } from './question-text.ts';
import { stopIfAborted, stopped } from './stop.ts';
import { pastOf } from './turns.ts';

export interface NotesOptions {
  engine: EngineProcess;
  storage: Storage;
  emit: (event: AppEvent) => void;
  cancelPatienceMs?: number | undefined;
}

/** What a note is written with. */
export interface Using {
  options: AnswerOptions;
  model: LoadedModel;
  signal: AbortSignal;
}

export class Notes {
  readonly #options: NotesOptions;

  constructor(options: NotesOptions) {
    this.#options = options;
  }

  /**
   * Puts a note in the place of the oldest exchanges of the answer's path, as many as leave room for what follows. Returns
   * whether there were any. Throws AppError.
   */
  async condense(answer: Answer, using: Using): Promise<boolean> {
    const { storage, emit } = this.#options;
    const { systemPrompt } = using.options;
    const path = storage.messages.pathTo(answer.id);
    const question = path.at(-2);
    if (question === undefined) throw stopped(); // the chat has been deleted meanwhile
    const past = pastOf(path.slice(0, -2), (message) => questionText(storage, message));
    const writer = this.#writer(answer, using, () => undefined);
    const others = await writer.countTexts([systemPrompt, questionText(storage, question), answer.begun]);
    const sizes = await exchangeSizes(past.exchanges, writer);
    const { contextSize } = using.model;
    const count = condenseCount(
      sizes,
      others.reduce((sum, tokens) => sum + tokens, noteTokens(contextSize)),
      contextSize - reserveFor(using.options, contextSize),
    );
    const exchanges = past.exchanges.slice(0, count);
    const last = exchanges.at(-1);
    if (last === undefined) return false;
    const note = await writeNote(systemPrompt, { ...past, exchanges }, writer);
    emit({ type: 'message', message: storage.messages.setNote(last.answerId, note) });
    return true;
  }

  /** Writes the first message of a new chat: a note for the path to `messageId` in another one. Throws AppError. */
  async open(answer: Answer, messageId: string, using: Using): Promise<void> {
    const { storage } = this.#options;
    const past = pastOf(storage.messages.pathTo(messageId), (message) => questionText(storage, message));
    const writer = this.#writer(answer, using, (text, tokens) => answer.append(text, tokens));
    await writeNote(using.options.systemPrompt, past, writer);
    answer.end({ state: 'complete' });
  }

  #writer(
    answer: Answer,
    { options, model, signal }: Using,
    delta: (text: string, completionTokens: number) => void,
  ): NoteWriter {
    const { engine, cancelPatienceMs } = this.#options;
    const { sampling, attention } = options;
    return {
      contextSize: model.contextSize,
      count: async (turns) => (await engine.countTokens([{ kind: 'chat', turns }]))[0] ?? 0,
      countTexts: (texts) => engine.countTokens(texts.map((text) => ({ kind: 'text', text }))),
      write: async (turns, isLast) => {
        stopIfAborted(signal);
        const prompt = { kind: 'chat' as const, turns };
        const body = {
          prompt,
          sampling: { ...sampling, stop: [], maxTokens: noteTokens(model.contextSize) },
          attention,
        };
        const listener = {
          progress: (progress: Progress) => answer.progress(progress, 'note'),
          delta: isLast ? delta : () => undefined,
        };
        const { text, finishReason } = await generate(engine, body, listener, signal, cancelPatienceMs);
        if (finishReason === 'cancelled') throw stopped();
        return text;
      },
    };
  }
}
