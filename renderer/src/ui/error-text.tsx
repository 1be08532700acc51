/** An error in words: what happened and why, then what one can do. */
import type { ErrorInfo } from '../../../contract/errors.ts';

export function ErrorText({ error }: { error: ErrorInfo }) {
  return (
    <div className="error-text">
      <p>{error.message}</p>
      {error.action !== undefined && <p className="error-action">{error.action}</p>}
    </div>
  );
}
