/**
 * What PDF.js says about a broken file. It reads on past damage and tells of it on the console alone, so the console is
 * where it is heard; the thread is PDF.js's own.
 */

export type Complaint = 'rebuilt' | 'broken' | 'picture-left-out';

/** Words of PDF.js -> what they mean here. */
const MEANINGS: readonly [words: RegExp, meaning: Complaint][] = [
  [/Indexing all PDF objects/, 'rebuilt'],
  [/Image exceeded maximum allowed size/, 'picture-left-out'],
  [/Invalid stream|flate stream|ignoring errors during/, 'broken'],
];

const heard = new Set<Complaint>();

/** From now on, what PDF.js says is kept for `takeComplaints` instead of being printed. */
export function hearComplaints(): void {
  const { warn, info } = console;
  console.warn = (...words: unknown[]) => hear('Warning: ', words) || warn(...words);
  console.info = (...words: unknown[]) => hear('Info: ', words) || info(...words);
}

function hear(prefix: string, [words]: readonly unknown[]): boolean {
  if (typeof words !== 'string' || !words.startsWith(prefix)) return false;
  const meaning = MEANINGS.find(([pattern]) => pattern.test(words))?.[1];
  if (meaning !== undefined) heard.add(meaning);
  return true;
}

/** What was heard since the last call. */
export function takeComplaints(): ReadonlySet<Complaint> {
  const taken = new Set(heard);
  heard.clear();
  return taken;
}
