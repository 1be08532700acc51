/** Notes: the model condenses the beginning of a conversation into a text that stands in its place. */
import type { ChatTurn } from '../../contract/engine.ts';
import { AppError } from '../../contract/errors.ts';
import type { CountTurns } from './fit.ts';
import { type Exchange, type Past, pastTurns } from './turns.ts';

/** Longest note, in tokens; a quarter of a small context. */
const NOTE_TOKENS = 320;

export function noteTokens(contextSize: number): number {
  return Math.min(NOTE_TOKENS, Math.floor(contextSize / 4));
}

/** What the template puts around an exchange, generously. */
const EXCHANGE_FRAME = 16;
/** After condensing, this share of the room is used at most: the next questions should fit as well. */
const ROOM_USED = 0.6;

const REQUEST: ChatTurn = {
  role: 'user',
  content:
    'Summarise our conversation so far, so that it can go on from your summary alone. Write in the language of the ' +
    'conversation. Keep names, numbers, decisions and open questions. Write only the summary, in a few sentences.',
};

export interface NoteWriter {
  /** Has the model answer; the last answer of several is the note. Throws AppError, also 'cancelled'. */
  write: (turns: ChatTurn[], isLast: boolean) => Promise<string>;
  count: CountTurns;
  /** Tokens of plain texts. */
  countTexts: (texts: string[]) => Promise<number[]>;
  contextSize: number;
}

/**
 * How many of the oldest exchanges to condense so that the rest leaves room for questions to come. At least one.
 * @param others tokens of what stays beside the exchanges, the note among them
 * @param room tokens that a prompt may have
 */
export function condenseCount(sizes: readonly number[], others: number, room: number): number {
  const forSizes = room * ROOM_USED - others;
  let rest = sizes.reduce((sum, size) => sum + size, 0);
  let count = 0;
  while (count < sizes.length && (count === 0 || rest > forSizes)) {
    rest -= sizes[count] ?? 0;
    count += 1;
  }
  return count;
}

/** Tokens of each exchange. */
export async function exchangeSizes(exchanges: readonly Exchange[], writer: NoteWriter): Promise<number[]> {
  const texts = exchanges.flatMap(({ question, answer }) => [question, answer]);
  const counts = await writer.countTexts(texts);
  return exchanges.map((_, i) => (counts[2 * i] ?? 0) + (counts[2 * i + 1] ?? 0) + EXCHANGE_FRAME);
}

/**
 * A note for the past's own note and all its exchanges. What is too long for one request is condensed in parts, each together with
 * the note of those before it; an exchange that is too long by itself is cut in its middle.
 * @param systemPrompt that of the chat: its beginning is in the cache then
 */
export async function writeNote(systemPrompt: string, past: Past, writer: NoteWriter): Promise<string> {
  const room = writer.contextSize - noteTokens(writer.contextSize);
  let { note } = past;
  let left = past.exchanges;
  while (left.length > 0) {
    let taken = left.length;
    let turns = requestFor(systemPrompt, note, left);
    while ((await writer.count(turns)) > room) {
      if (taken === 1) {
        turns = await cutToFit(systemPrompt, note, left[0], room, writer);
        break;
      }
      taken = Math.ceil(taken / 2);
      turns = requestFor(systemPrompt, note, left.slice(0, taken));
    }
    left = left.slice(taken);
    note = (await writer.write(turns, left.length === 0)).trim();
  }
  if (note === undefined || note === '') {
    throw new AppError('bad-input', 'The model wrote no summary of the conversation.', {
      action: 'Ask again, and choose another way to go on.',
    });
  }
  return note;
}

function requestFor(systemPrompt: string, note: string | undefined, exchanges: Exchange[]): ChatTurn[] {
  return [...pastTurns(systemPrompt, { ...(note === undefined ? {} : { note }), exchanges }), REQUEST];
}

async function cutToFit(
  systemPrompt: string,
  note: string | undefined,
  exchange: Exchange | undefined,
  room: number,
  writer: NoteWriter,
): Promise<ChatTurn[]> {
  for (let share = 0.5; exchange && share > 0.001; share /= 2) {
    const { question, answer } = exchange;
    const cut = { ...exchange, question: withoutMiddle(question, share), answer: withoutMiddle(answer, share) };
    const turns = requestFor(systemPrompt, note, [cut]);
    if ((await writer.count(turns)) <= room) return turns;
  }
  throw new AppError('context-overflow', 'The system prompt leaves no room to condense the conversation.', {
    action: 'Shorten the system prompt, or use a model with a longer context.',
  });
}

function withoutMiddle(text: string, share: number): string {
  const kept = Array.from(text);
  const half = Math.floor((kept.length * share) / 2);
  return `${kept.slice(0, half).join('')} […] ${kept.slice(kept.length - half).join('')}`;
}
