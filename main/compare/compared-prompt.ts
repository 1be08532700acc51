/** The prompt of a comparison: as much of a text or document as fits beside the answer. */
import type { ComparePlan, CompareSource } from '../../contract/compare.ts';
import type { ChatTurn, LoadedModel } from '../../contract/engine.ts';
import { AppError } from '../../contract/errors.ts';
import { phrase } from '../../contract/phrase.ts';
import { promptLanguageOf } from '../documents/prompts/language.ts';
import { questionPrompt } from '../documents/prompts/question.ts';
import type { EngineProcess } from '../engine-process.ts';
import type { Storage } from '../storage/storage.ts';
import type { CountedDocuments } from '../summaries/counted-documents.ts';
import { cutText } from './core/cut.ts';

export interface ComparedPrompt extends ComparePlan {
  turns: ChatTurn[];
  question: string;
  documentName?: string;
}

export interface PromptParts {
  engine: Pick<EngineProcess, 'countTokens'>;
  storage: Pick<Storage, 'documents'>;
  documents: Pick<CountedDocuments, 'assertRead'>;
}

/** Text and its neighbour can share a token less, or need one more, together than apart. */
const SLACK = 8;
/** Fewer tokens of a text are not worth comparing. */
const LEAST = 16;

/** A text that is kept, with its tokens, since it is asked about again with every change of the question beside it. */
interface Kept {
  key: string;
  whole: string;
  tokens: Promise<number>;
}

type Model = Pick<LoadedModel, 'id' | 'contextSize'>;

export class ComparedPrompts {
  readonly #using: PromptParts;
  #kept: Kept | undefined;

  constructor(using: PromptParts) {
    this.#using = using;
  }

  /** Throws AppError: a document that was not read, or an answer that leaves no room. */
  async of(source: CompareSource, maxTokens: number, model: Model): Promise<ComparedPrompt> {
    const kept = this.#keep(source, model);
    const { turnsOf, ...told } = this.#parts(source, kept.whole);
    const room = model.contextSize - maxTokens - SLACK - (await this.#countTurns(turnsOf('')));
    if (room < LEAST) {
      throw new AppError('context-overflow', phrase`An answer of ${maxTokens} tokens leaves no room for the prompt.`, {
        action: 'Choose a shorter answer or a shorter question, or a model with a longer context.',
      });
    }
    const count = (text: string) => (text === kept.whole ? kept.tokens : this.#countText(text));
    const { text, used, of } = await cutText(kept.whole, room, count);
    const turns = turnsOf(text);
    const cut = used < of ? { cut: { used, of } } : {};
    return { turns, promptTokens: await this.#countTurns(turns), ...cut, ...told };
  }

  #keep(source: CompareSource, { id }: Model): Kept {
    const { storage, documents } = this.#using;
    if (source.kind === 'document') documents.assertRead(source.documentId);
    // The outline tells when the same file was read anew, with other text.
    const what =
      source.kind === 'text' ? [source.text] : [source.documentId, storage.documents.get(source.documentId).outline];
    const key = JSON.stringify([id, source.kind, ...what]);
    if (this.#kept?.key === key) return this.#kept;
    const whole =
      source.kind === 'text'
        ? source.text
        : storage.documents
            .pages(source.documentId)
            .map(({ text }) => text)
            .join('\n\n');
    const kept = { key, whole, tokens: this.#countText(whole) };
    this.#kept = kept;
    kept.tokens.catch(() => {
      if (this.#kept === kept) this.#kept = undefined;
    });
    return kept;
  }

  #parts(source: CompareSource, whole: string) {
    if (source.kind === 'text') {
      return { question: source.text, turnsOf: (part: string): ChatTurn[] => [{ role: 'user', content: part }] };
    }
    const { documentId, question } = source;
    const { name } = this.#using.storage.documents.get(documentId);
    const language = promptLanguageOf(whole);
    const turnsOf = (text: string) => questionPrompt([{ name, text }], question, language);
    return { question, documentName: name, turnsOf };
  }

  async #countTurns(turns: ChatTurn[]): Promise<number> {
    return (await this.#using.engine.countTokens([{ kind: 'chat', turns }]))[0] ?? 0;
  }

  async #countText(text: string): Promise<number> {
    return (await this.#using.engine.countTokens([{ kind: 'text', text }]))[0] ?? 0;
  }
}
