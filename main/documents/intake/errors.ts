/** Errors of files that cannot be read, in words for the person who opened them. */
import { AppError } from '../../../contract/errors.ts';
import { type Phrase, phrase } from '../../../contract/phrase.ts';

export function unsupported(message: string | Phrase, action: string): AppError {
  return new AppError('document-unsupported', message, { action });
}

export function invalid(message: string | Phrase, cause?: unknown): AppError {
  const detail = cause instanceof Error ? (cause.stack ?? cause.message) : undefined;
  return new AppError('document-invalid', message, {
    action: 'Save it anew in the program it came from, or open another copy of it.',
    ...(detail === undefined ? {} : { detail }),
  });
}

export function beyondLimit(message: string | Phrase): AppError {
  return new AppError('document-limit', message, {
    action: 'If you trust the file, save it anew in the program it came from, or divide it into smaller ones.',
  });
}

export function passwordNeeded(name: string): AppError {
  return new AppError('password-needed', phrase`${name} is encrypted.`, { action: 'Enter its password to open it.' });
}

export function passwordWrong(name: string): AppError {
  return new AppError('password-wrong', phrase`The password does not open ${name}.`, {
    action: 'Check capital letters and the keyboard layout, and enter it again.',
  });
}
