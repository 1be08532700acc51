/** Exit codes of the command line. */
import type { ErrorKind } from '../../contract/errors.ts';

export const EXIT = { ok: 0, usage: 2, input: 3, engine: 4, interrupted: 130 } as const;

export function exitCodeFor(kind: ErrorKind): number {
  switch (kind) {
    case 'usage':
      return EXIT.usage;
    case 'bad-input':
    case 'model-missing':
    case 'model-invalid':
    case 'model-unsupported':
    case 'context-overflow':
    case 'template-refused':
    case 'document-missing':
    case 'document-changed':
    case 'document-unsupported':
    case 'document-invalid':
    case 'document-limit':
    case 'parser-crashed':
    case 'password-needed':
    case 'password-wrong':
      return EXIT.input;
    case 'cancelled':
      return EXIT.interrupted;
    default:
      return EXIT.engine;
  }
}
