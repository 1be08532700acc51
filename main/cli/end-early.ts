/** Answers that did not come to their end. */
import { AppError } from '../../contract/errors.ts';
import { exitCodeFor } from './exit.ts';
import type { OptionValues } from './options.ts';
import { print, printError, printJson } from './output.ts';

/**
 * An answer that a stop or a fault cut off: what there is of it ends cleanly. With --json `answer` is printed
 * with the reason. Returns the exit code; throws AppError where there is nothing of it.
 */
export function endEarly<T extends { readonly text: string }>(
  thrown: unknown,
  answer: T,
  { json }: OptionValues,
): number {
  const error = AppError.from(thrown);
  if (answer.text === '') throw error;
  if (json) printJson({ ...answer, error: error.toInfo() });
  else print('\n');
  printError(error);
  return exitCodeFor(error.kind);
}
