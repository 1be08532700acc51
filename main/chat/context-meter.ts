/** How much of the model's context a question would take, by part, before it is sent. */
import type { Countable, LoadedModel } from '../../contract/engine.ts';
import type { ContextUse } from '../../contract/messages.ts';
import type { EngineProcess } from '../engine-process.ts';
import type { Storage } from '../storage/storage.ts';
import { reserveFor } from './answer-options.ts';
import type { Answerer } from './answerer.ts';
import { type CountTurns, fitTurns } from './fit.ts';
import type { ModelKeeper } from './model-keeper.ts';
import { filesOf, questionText } from './question-text.ts';
import { type Past, pastOf, withFiles } from './turns.ts';

/** Counts that are kept. A pause in typing changes one of them; the next question changes all of a chat. */
const MOST_KEPT = 200;
/** A long text is counted in pieces, so that an answer under way is not held up. */
const PIECE = 50_000;
/** Templates want a question: this one stands for it where the rest is counted. */
const STAND_IN = { role: 'user', content: '?' } as const;

export interface Measurable {
  chatId: string | null;
  text: string;
  attachments?: readonly string[] | undefined;
  /** The message before the question; absent: the path's end. Null: the beginning. */
  after?: string | null | undefined;
}

export interface ContextMeterOptions {
  engine: EngineProcess;
  keeper: ModelKeeper;
  storage: Storage;
  answerer: Answerer;
}

export class ContextMeter {
  readonly #options: ContextMeterOptions;
  readonly #kept = new Map<string, number>();
  #lastPast: { place: string; past: Past } | undefined;

  constructor(options: ContextMeterOptions) {
    this.#options = options;
  }

  /** Null where no model is loaded. Throws AppError where the model's template refuses the conversation. */
  async measure({ chatId, text, attachments = [], after }: Measurable): Promise<ContextUse | null> {
    const { storage, answerer } = this.#options;
    const model = this.#model();
    if (model === undefined) return null;
    const options = answerer.optionsOf(chatId);
    const place = JSON.stringify([storage.messages.revision, chatId, after]);
    const past = this.#past(place, chatId, after);
    const { systemPrompt } = options;
    const turnsKey = JSON.stringify([model.id, place, systemPrompt]);
    const count: CountTurns = (turns) => this.#count(`${turnsKey} ${turns.length}`, [{ kind: 'chat', turns }]);
    const reserve = reserveFor(options, model.contextSize);
    const draft = await this.#tokens(text);
    const files = await this.#filesTokens(attachments, model);
    const fitted = await fitTurns({
      systemPrompt,
      past,
      question: STAND_IN,
      available: model.contextSize - reserve - draft - files,
      dropped: chatId === null ? 0 : answerer.droppedOf(chatId),
      mayDrop: options.atLimit === 'drop-oldest',
      count,
    });
    const alone = await fitTurns({
      systemPrompt,
      past: { exchanges: [] },
      question: STAND_IN,
      available: 0,
      dropped: 0,
      mayDrop: false,
      count,
    });
    return {
      system: alone.tokens,
      history: Math.max(0, fitted.tokens - alone.tokens),
      draft,
      attachments: files,
      reserve,
      contextSize: model.contextSize,
      fits: fitted.fits,
      ...(fitted.dropped > 0 ? { omitted: fitted.dropped * 2 } : {}),
    };
  }

  /** What an attachment takes of the loaded model's context; undefined where no model is loaded. */
  async attachmentTokens(attachment: { id: string; name: string }): Promise<number | undefined> {
    const model = this.#model();
    return model && this.#filesTokens([attachment.id], model);
  }

  #model(): LoadedModel | undefined {
    const { status } = this.#options.keeper;
    return status.state === 'ready' ? status.model : undefined;
  }

  /** The messages before a question. Read again only when they may have changed: a long chat takes a while to read. */
  #past(place: string, chatId: string | null, after: string | null | undefined): Past {
    const { storage } = this.#options;
    if (chatId === null || after === null) return { exchanges: [] };
    if (this.#lastPast?.place !== place) {
      const path = after === undefined ? storage.messages.list(chatId) : storage.messages.pathTo(after);
      this.#lastPast = { place, past: pastOf(path, (message) => questionText(storage, message)) };
    }
    return this.#lastPast.past;
  }

  async #filesTokens(attachmentIds: readonly string[], model: LoadedModel): Promise<number> {
    const { storage } = this.#options;
    let sum = 0;
    for (const id of attachmentIds) {
      const found = storage.attachments.find(id)?.attachment;
      if (found?.state !== 'ready') continue;
      const key = JSON.stringify([model.id, id]);
      sum += this.#kept.get(key) ?? (await this.#count(key, pieces(withFiles('', filesOf(storage, [found])))));
    }
    return sum;
  }

  #tokens(text: string): Promise<number> {
    return text === '' ? Promise.resolve(0) : this.#sum(pieces(text));
  }

  async #count(key: string, items: Countable[]): Promise<number> {
    const known = this.#kept.get(key);
    if (known !== undefined) return known;
    const tokens = await this.#sum(items);
    this.#kept.set(key, tokens);
    for (const oldest of this.#kept.keys()) {
      if (this.#kept.size <= MOST_KEPT) break;
      this.#kept.delete(oldest);
    }
    return tokens;
  }

  async #sum(items: Countable[]): Promise<number> {
    const counts = await this.#options.engine.countTokens(items);
    return counts.reduce((sum, tokens) => sum + tokens, 0);
  }
}

/** The text in pieces of bounded length, cut where a line ends where that is possible. */
function pieces(text: string): Countable[] {
  const items: Countable[] = [];
  for (let at = 0; at < text.length; ) {
    let end = Math.min(at + PIECE, text.length);
    const line = text.lastIndexOf('\n', end);
    if (end < text.length && line > at) end = line;
    items.push({ kind: 'text', text: text.slice(at, end) });
    at = end;
  }
  return items;
}
