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

/** Throws AppError: a document that was not read, or an answer that leaves no room. */
export async function comparedPrompt(
  source: CompareSource,
  maxTokens: number,
  { contextSize }: Pick<LoadedModel, 'contextSize'>,
  using: PromptParts,
): Promise<ComparedPrompt> {
  const { engine } = using;
  const { whole, turnsOf, ...told } = partsOf(source, using);
  const countTurns = async (turns: ChatTurn[]) => (await engine.countTokens([{ kind: 'chat', turns }]))[0] ?? 0;
  const countText = async (text: string) => (await engine.countTokens([{ kind: 'text', text }]))[0] ?? 0;
  const room = contextSize - maxTokens - SLACK - (await countTurns(turnsOf('')));
  if (room < LEAST) {
    throw new AppError('context-overflow', phrase`An answer of ${maxTokens} tokens leaves no room for the prompt.`, {
      action: 'Choose a shorter answer or a shorter question, or a model with a longer context.',
    });
  }
  const { text, used, of } = await cutText(whole, room, countText);
  const turns = turnsOf(text);
  const cut = used < of ? { cut: { used, of } } : {};
  return { turns, promptTokens: await countTurns(turns), ...cut, ...told };
}

function partsOf(source: CompareSource, { storage, documents }: PromptParts) {
  if (source.kind === 'text') {
    const { text } = source;
    return { whole: text, question: text, turnsOf: (part: string): ChatTurn[] => [{ role: 'user', content: part }] };
  }
  const { documentId, question } = source;
  documents.assertRead(documentId);
  const { name } = storage.documents.get(documentId);
  const whole = storage.documents
    .pages(documentId)
    .map(({ text }) => text)
    .join('\n\n');
  const language = promptLanguageOf(whole);
  const turnsOf = (text: string) => questionPrompt([{ name, text }], question, language);
  return { whole, question, documentName: name, turnsOf };
}
