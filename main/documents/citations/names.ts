/** Names in sentences: two or more words in a row with capital letters. Single ones may be any noun of a German text. */
import { termsOf } from './terms.ts';

const RUN = /\p{Lu}[\p{L}\p{M}'’]+(?: \p{Lu}[\p{L}\p{M}'’]+)+/gu;

/** The words of names, as terms. The first word of a sentence has its capital from there and is none. */
export function nameTermsOf(text: string): string[] {
  const names: string[] = [];
  for (const { 0: run, index } of text.matchAll(RUN)) {
    const first = index === 0 || /[.!?:：。][\s"'“‘]*$|^["'“‘]*$/u.test(text.slice(0, index));
    const terms = termsOf(run);
    names.push(...(first ? terms.slice(1) : terms));
  }
  return names;
}
