/** An error in words: what happened and why, then what one can do. */
import type { ErrorInfo } from '../../../contract/errors.ts';
import { strings } from '../strings.ts';

export function ErrorText({ error: { kind, message, action } }: { error: ErrorInfo }) {
  const { byKind, original } = strings.errors;
  if (byKind === null) {
    return (
      <div className="error-text">
        <p>{message}</p>
        {action !== undefined && <p className="error-action">{action}</p>}
      </div>
    );
  }
  // Main and the engine speak English: their words stand beneath those of the window's language.
  return (
    <div className="error-text">
      <p>{byKind[kind].title}</p>
      <p className="error-action">{byKind[kind].action}</p>
      <p className="error-original" lang="en">
        <span className="visually-hidden">{original}: </span>
        {message} {action}
      </p>
    </div>
  );
}
