/** Finds the data files of PDF.js from wherever this code runs: beside the bundle, or in node_modules under Vitest. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { AppError } from '../../../contract/errors.ts';

/** Folder with `cmaps` and `standard_fonts`. Throws AppError 'internal' where it is missing. */
export function pdfDataFolder(): string {
  for (let folder = __dirname; ; folder = path.dirname(folder)) {
    for (const name of ['pdfjs', 'dist/pdfjs', 'node_modules/pdfjs-dist']) {
      const candidate = path.join(folder, name);
      if (existsSync(path.join(candidate, 'cmaps'))) return candidate;
    }
    if (path.dirname(folder) === folder) break;
  }
  throw new AppError('internal', 'The data files for PDF are missing from this installation.', {
    action: 'Run "npm run build", or install the app again.',
  });
}
