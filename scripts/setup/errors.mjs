/** The error a set-up step ends with: what went wrong, and what the person can do. */

export class SetupError extends Error {
  /**
   * @param {string} message what failed and why
   * @param {string} advice what to do about it
   * @param {unknown} [cause] the error underneath
   */
  constructor(message, advice, cause) {
    super(message, { cause });
    this.name = 'SetupError';
    this.advice = advice;
  }
}

/**
 * The text of anything thrown, with the cause that `fetch` and sockets hide in `cause`.
 * @param {unknown} error
 * @returns {string}
 */
export function reasonOf(error) {
  if (!(error instanceof Error)) return String(error);
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  // An AggregateError of a failed connection has a code but no message.
  const message = error.message || code || error.name;
  return error.cause instanceof Error && !message.includes(error.cause.message)
    ? `${message} (${reasonOf(error.cause)})`
    : message;
}
