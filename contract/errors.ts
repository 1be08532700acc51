/** The one error type that crosses a process. People read `message` and `action`; the log gets `detail`. */
import * as v from 'valibot';
import { english, Phrase, said } from './phrase.ts';

export const ErrorKind = v.picklist([
  'usage', // a command or request is malformed
  'bad-input', // a value, file or message is wrong
  'model-missing', // no such model, or a file of it is gone
  'model-invalid', // the model file is broken or contradicts itself
  'model-unsupported', // a sound file that this version cannot run
  'context-overflow', // the prompt does not fit the context
  'template-refused', // the chat template raised an exception; message carries its words
  'numeric-fault', // NaN or infinity where a number must be
  'device-unusable', // an execution provider or device failed
  'engine-crashed', // the engine process ended unexpectedly
  'engine-busy', // another request is being answered
  'download-failed',
  'disk-full',
  'storage-failed', // the database cannot be read or written
  'document-missing', // a file that is not there or must not be read
  'document-changed', // a file that changed or disappeared while it was read
  'document-unsupported', // no document, or of a format that cannot be read
  'document-invalid', // so broken that nothing could be read
  'document-limit', // needs more time or memory than a document may
  'parser-crashed', // the parser process ended unexpectedly
  'password-needed', // the document is encrypted
  'password-wrong', // the given password does not open it
  'cancelled',
  'internal', // a bug of ours
]);
export type ErrorKind = v.InferOutput<typeof ErrorKind>;

export const ErrorInfo = v.object({
  kind: ErrorKind,
  /** What happened and why, in plain words, for the user. */
  message: v.string(),
  /** What the user can do about it. */
  action: v.optional(v.string()),
  /** For the log only. */
  detail: v.optional(v.string()),
  /** Both with their values apart, where they have any. */
  phrases: v.optional(v.object({ message: Phrase, action: v.optional(Phrase) })),
});
export type ErrorInfo = v.InferOutput<typeof ErrorInfo>;

interface MoreOfError {
  action?: string | Phrase;
  detail?: string;
  cause?: unknown;
}

export class AppError extends Error {
  override readonly name = 'AppError';
  readonly kind: ErrorKind;
  readonly action: string | undefined;
  readonly detail: string | undefined;
  /** Message and action as they can be said in other languages. */
  readonly phrases: { readonly message: Phrase; readonly action?: Phrase };

  constructor(kind: ErrorKind, message: string | Phrase, more: MoreOfError = {}) {
    super(english(message), more.cause === undefined ? undefined : { cause: more.cause });
    this.kind = kind;
    this.action = more.action === undefined ? undefined : english(more.action);
    this.detail = more.detail;
    this.phrases = {
      message: said(message),
      ...(more.action === undefined ? {} : { action: said(more.action) }),
    };
  }

  /** The plain object that is sent to another process. */
  toInfo(): ErrorInfo {
    const { message, action } = this.phrases;
    const hasValues = message.values.length > 0 || (action?.values.length ?? 0) > 0;
    return {
      kind: this.kind,
      message: this.message,
      ...(this.action === undefined ? {} : { action: this.action }),
      ...(this.detail === undefined ? {} : { detail: this.detail }),
      ...(hasValues ? { phrases: this.phrases } : {}),
    };
  }

  static fromInfo({ kind, message, action, detail, phrases }: ErrorInfo): AppError {
    const toDo = phrases?.action ?? action;
    return new AppError(kind, phrases?.message ?? message, {
      ...(toDo === undefined ? {} : { action: toDo }),
      ...(detail === undefined ? {} : { detail }),
    });
  }

  /** Any thrown value as an AppError; what is not one already becomes `internal` with its stack as detail. */
  static from(error: unknown): AppError {
    if (error instanceof AppError) return error;
    if (error instanceof Error) {
      return new AppError('internal', error.message, { detail: error.stack ?? error.message, cause: error });
    }
    return new AppError('internal', String(error));
  }
}
