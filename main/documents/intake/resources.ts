/** Finds data files of libraries from wherever this code runs: beside the bundle, or in node_modules under Vitest. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { AppError } from '../../../contract/errors.ts';

/** Folder with the character maps, standard fonts and decoders of PDF.js. Throws AppError 'internal' where it is missing. */
export function pdfDataFolder(): string {
  return dataFolder('pdfjs', 'pdfjs-dist', 'cmaps');
}

/** Folder with Tesseract. Throws AppError 'internal' where it is missing. */
export function ocrCoreFolder(): string {
  return dataFolder('tesseract', 'tesseract.js-core', 'tesseract-core-simd-lstm.wasm');
}

/** `built`: its name in dist/; `member`: what must lie in it. */
function dataFolder(built: string, library: string, member: string): string {
  for (let folder = __dirname; ; folder = path.dirname(folder)) {
    for (const name of [built, path.join('dist', built), path.join('node_modules', library)]) {
      const candidate = path.join(folder, name);
      if (existsSync(path.join(candidate, member))) return candidate;
    }
    if (path.dirname(folder) === folder) break;
  }
  throw new AppError('internal', `The data files of ${library} are missing from this installation.`, {
    action: 'Run "npm run build", or install the app again.',
  });
}
