/** How a stopped answer leaves what it was doing. */
import { AppError } from '../../contract/errors.ts';

export function stopped(): AppError {
  return new AppError('cancelled', 'The answer was stopped.');
}

/** Throws AppError 'cancelled' where the signal has fired. */
export function stopIfAborted(signal: AbortSignal): void {
  if (signal.aborted) throw stopped();
}
