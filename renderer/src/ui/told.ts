/** What main and the engine say, in the language of the window. */
import { english, type Phrase, type Reason, said, translated } from '../../../contract/phrase.ts';
import { strings } from '../strings.ts';

/** `text` as it was sent stands where the language has no words for `phrase`, which is the same with its values apart. */
export function told(text: string, phrase: Phrase | undefined): string {
  return translated(phrase ?? said(text), strings.errors.phrases) ?? text;
}

/** Words of a driver or a library stay as they came. */
export function toldReason(reason: Reason): string {
  return told(english(reason), said(reason));
}
