/** An error in words: what happened and why, then what one can do. */
import type { ErrorInfo } from '../../../contract/errors.ts';
import { said, translated } from '../../../contract/phrase.ts';
import { strings } from '../strings.ts';

export function ErrorText({ error }: { error: ErrorInfo }) {
  const { kind, message, action, phrases } = error;
  const { byKind, original, phrases: words } = strings.errors;
  if (byKind === null) return <Words message={message} action={action} />;
  const known = translated(phrases?.message ?? said(message), words);
  if (known !== undefined) {
    const toDo = action === undefined ? undefined : translated(phrases?.action ?? said(action), words);
    return <Words message={known} action={action === undefined ? undefined : (toDo ?? byKind[kind].action)} />;
  }
  // Nobody has translated this one: its English words stand beneath those of the user's language.
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

function Words({ message, action }: { message: string; action: string | undefined }) {
  return (
    <div className="error-text">
      <p>{message}</p>
      {action !== undefined && <p className="error-action">{action}</p>}
    </div>
  );
}
