/** Opens a graph of a bundle as a native session on the CPU. */
import { AppError } from '../../../contract/errors.ts';
import { phrase } from '../../../contract/phrase.ts';
import type { NativeAddon, Session } from '../../../native/js/index.ts';
import type { Bundle } from '../model/bundle.ts';

/**
 * One thread a session, unless it runs alone: passes are cut into row slices over our own threads, since ORT's own pools
 * collapse when there is one for each of many sessions. Throws AppError 'model-invalid' that names the file.
 */
export function openGraph(native: NativeAddon, bundle: Bundle, path: string, threads = 1): Session {
  try {
    return native.openSession(path, { threads, config: { ...bundle.sessionConfig } });
  } catch (error) {
    throw new AppError('model-invalid', phrase`A part of the imported model cannot be opened: ${path}`, {
      action: 'Remove the model and import it again.',
      detail: error instanceof Error ? error.message : String(error),
      cause: error,
    });
  }
}
