/** The terms that texts are compared by: words, and pairs of characters of scripts without spaces. */

const RUN = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]+|[\p{L}\p{M}\p{N}]+(?:['’][\p{L}]+)?/gu;
const WITHOUT_SPACES = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u;

/** In order, with repetitions, in lower case; English plurals and the genitive count as the word itself. */
export function termsOf(text: string): string[] {
  const terms: string[] = [];
  for (const [run] of text.normalize('NFKC').toLowerCase().matchAll(RUN)) {
    if (!WITHOUT_SPACES.test(run)) terms.push(stem(run));
    else {
      const characters = Array.from(run);
      if (characters.length === 1) terms.push(run);
      for (let i = 0; i + 1 < characters.length; i += 1) terms.push(`${characters[i]}${characters[i + 1]}`);
    }
  }
  return terms;
}

function stem(word: string): string {
  const bare = word.replace(/['’]s$/, '');
  return bare.length > 4 && /[^su]s$/.test(bare) ? bare.slice(0, -1) : bare;
}
