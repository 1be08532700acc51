/** Full-text search in titles and messages, in any script. */
import type { DatabaseSyncInstance } from '@photostructure/sqlite';
import type { SearchHit } from '../../contract/chats.ts';
import { anyOf, excerptOf } from './excerpt.ts';
import { stored } from './failure.ts';

/** The index holds pieces of three characters; shorter words are looked for among the beginnings of those pieces. */
const TRIGRAM = 3;
/** A word in more messages than this is looked for chat by chat, the newest first, instead of in the index. */
const COMMON = 3_000;
const MOST_HITS = 200;
const LAST_CHARACTER = '\u{10FFFF}';

export interface SearchResult {
  hits: SearchHit[];
  /** There are more than these. */
  more: boolean;
}

/** A condition on a row of `chats`. */
interface Condition {
  sql: string;
  values: string[];
}

/** How a word is looked for; `count` messages have it, or more than `COMMON`. */
interface Lookup extends Condition {
  count: number;
}

export class ChatSearch {
  readonly #db: DatabaseSyncInstance;

  constructor(db: DatabaseSyncInstance) {
    this.#db = db;
  }

  /**
   * Chats in which every word of the query occurs, in the title or in a message, case aside; newest change first, at most
   * 200. Deleted chats are not looked at. A query without words finds nothing.
   */
  search(query: string): SearchResult {
    const words = query.split(/\s+/u).filter((word) => word !== '');
    if (words.length === 0) return { hits: [], more: false };
    return stored('search your chats', () => {
      // Rare words first: they leave few chats for the others to be looked for in.
      const conditions = words.map((word) => this.#occurs(word)).sort((a, b) => a.count - b.count);
      const rows = this.#db
        .prepare(
          `SELECT id FROM chats WHERE removed_at IS NULL AND ${conditions.map(({ sql }) => sql).join(' AND ')}
           ORDER BY updated_at DESC LIMIT ${MOST_HITS + 1}`,
        )
        .all(...conditions.flatMap(({ values }) => values)) as { id: string }[];
      return {
        hits: rows.slice(0, MOST_HITS).map(({ id }) => this.#hit(id, words)),
        more: rows.length > MOST_HITS,
      };
    });
  }

  #occurs(word: string): Lookup {
    const pattern = `%${word.replaceAll(/[\\%_]/g, '\\$&')}%`;
    const found = Array.from(word).length < TRIGRAM ? beginningWith(word) : containing(word);
    const { count } = this.#db
      .prepare(`SELECT count(*) AS count FROM (${found.sql} LIMIT ${COMMON + 1})`)
      .get(...found.values) as { count: number };
    const inMessages =
      count > COMMON
        ? "EXISTS (SELECT 1 FROM messages WHERE chat_id = chats.id AND text LIKE ? ESCAPE '\\')"
        : `id IN (SELECT chat_id FROM messages WHERE seq IN (${found.sql}))`;
    return {
      count,
      sql: `(title LIKE ? ESCAPE '\\' OR ${inMessages})`,
      values: [pattern, ...(count > COMMON ? [pattern] : found.values)],
    };
  }

  /** With the newest of the messages that have the most words. */
  #hit(chatId: string, words: readonly string[]): SearchHit {
    const messages = this.#db
      .prepare("SELECT id, text FROM messages WHERE chat_id = ? AND state <> 'streaming' ORDER BY seq DESC")
      .iterate(chatId) as Iterable<{ id: string; text: string }>;
    let best: { id: string; text: string; count: number } | undefined;
    for (const { id, text } of messages) {
      const count = words.filter((word) => anyOf([word], 'iu').test(text)).length;
      if (count > (best?.count ?? 0)) best = { id, text, count };
      if (count === words.length) break;
    }
    return best ? { chatId, message: { id: best.id, excerpt: excerptOf(best.text, words) } } : { chatId };
  }
}

/** Places of messages in which the word, of three characters or more, occurs. */
function containing(word: string): Condition {
  // Quoted, so that no word is taken for an operator of the query language.
  return {
    sql: 'SELECT rowid FROM messages_index WHERE messages_index MATCH ?',
    values: [`"${word.replaceAll('"', '""')}"`],
  };
}

/** Places of messages with a piece that begins with the word: every place of a text begins one. */
function beginningWith(word: string): Condition {
  const folded = word.toLowerCase();
  return {
    sql: 'SELECT doc FROM messages_pieces WHERE term >= ? AND term < ?',
    values: [folded, folded + LAST_CHARACTER],
  };
}
