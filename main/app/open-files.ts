/** Files that another program has the app open: named on its command line, or on that of a second copy. */
import { statSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { AppEvent } from '../../contract/channels.ts';
import { AppError } from '../../contract/errors.ts';
import type { LibraryDocument } from '../../contract/library-documents.ts';

/** As many as one drop may have. */
const MOST_FILES = 1000;

/**
 * The files and folders of a command line, as absolute paths. Desktops give them as paths or as file: addresses; Chromium
 * adds switches of its own. `appPath` is where the app itself lies: Electron is told it where the app is not packaged.
 */
export function filesIn(argv: readonly string[], workingFolder: string, appPath: string): string[] {
  return argv
    .slice(1)
    .filter((argument) => argument !== '' && !argument.startsWith('-'))
    .map((argument) => pathOf(argument, workingFolder))
    .filter((file): file is string => file !== undefined && file !== path.resolve(appPath) && isThere(file))
    .slice(0, MOST_FILES);
}

export interface OpenFilesOptions {
  addDocuments: (paths: string[]) => Promise<LibraryDocument[]>;
  /** Resolves once the model is there. */
  importModel: (path: string) => Promise<unknown>;
  /** Tells a window what was opened. */
  opened: (event: Extract<AppEvent, { type: 'opened' }>) => void;
}

/** Models are imported, all else becomes documents. Never rejects: a window is told what went wrong. */
export async function openFiles(paths: readonly string[], options: OpenFilesOptions): Promise<void> {
  const { addDocuments, importModel, opened } = options;
  const isModel = (file: string) => path.extname(file).toLowerCase() === '.gguf';
  const [models, others] = [paths.filter(isModel), paths.filter((file) => !isModel(file))];
  const guarded = async (view: 'documents' | 'models', work: () => Promise<{ documentId?: string }>) => {
    try {
      opened({ type: 'opened', view, ...(await work()) });
    } catch (thrown) {
      const { detail: _, ...error } = AppError.from(thrown).toInfo();
      opened({ type: 'opened', view, ...(error.kind === 'cancelled' ? {} : { error }) });
    }
  };
  for (const model of models) {
    // Shown at once: the screen has the import's progress.
    opened({ type: 'opened', view: 'models' });
    await guarded('models', async () => {
      await importModel(model);
      return {};
    });
  }
  if (others.length > 0) {
    await guarded('documents', async () => {
      const [first] = await addDocuments(others);
      return first === undefined ? {} : { documentId: first.id };
    });
  }
}

function pathOf(argument: string, workingFolder: string): string | undefined {
  try {
    return argument.startsWith('file:') ? fileURLToPath(argument) : path.resolve(workingFolder, argument);
  } catch {
    return undefined; // an address that is none of this computer
  }
}

function isThere(file: string): boolean {
  const facts = statSync(file, { throwIfNoEntry: false });
  return facts !== undefined && (facts.isFile() || facts.isDirectory());
}
