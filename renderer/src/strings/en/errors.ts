/** What a language adds to errors, which main and the engine word in English. */
import type { ErrorKind } from '../../../../contract/errors.ts';

interface ErrorWords {
  /** What happened. */
  readonly title: string;
  /** What can be done. */
  readonly action: string;
}

export const errors: {
  errors: {
    /** Shown above the original words where `phrases` has none; null where those are in the user's language. */
    readonly byKind: Readonly<Record<ErrorKind, ErrorWords>> | null;
    /** Errors in the user's language, by their text in English (contract/phrase.ts). */
    readonly phrases: Readonly<Record<string, string>>;
    readonly original: string;
  };
} = {
  errors: {
    byKind: null,
    phrases: {},
    original: 'Original message',
  },
};
