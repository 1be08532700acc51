/** How everything in model/ says that a model file is broken or beyond this version: file first, then what, then what to do. */
import { basename } from 'node:path';
import { AppError } from '../../../contract/errors.ts';
import { type Phrase, phrase, said } from '../../../contract/phrase.ts';

const LONGEST_QUOTE = 80;

/** Text from a file made fit for a message: quoted, control characters escaped, cut. */
export function quote(text: string): string {
  return JSON.stringify(text.length > LONGEST_QUOTE ? `${text.slice(0, LONGEST_QUOTE)}…` : text);
}

/** The file is broken or contradicts itself. */
export function invalidModel(path: string, what: string | Phrase, action?: string | Phrase): AppError {
  return new AppError('model-invalid', phrase`${basename(path)}: ${said(what)}.`, {
    action: action ?? 'Download the model again, or take it from another source.',
    detail: path,
  });
}

/** The file is sound, but this version cannot run it. */
export function unsupportedModel(path: string, what: string | Phrase, action?: string | Phrase): AppError {
  return new AppError('model-unsupported', phrase`${basename(path)}: ${said(what)}.`, {
    action: action ?? 'Choose another model or another version of this one.',
    detail: path,
  });
}
