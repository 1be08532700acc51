/** Finds data files of libraries from wherever this code runs: beside the bundle, or in node_modules under Vitest. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { AppError } from '../../../contract/errors.ts';
import { phrase } from '../../../contract/phrase.ts';

/** Folder with the character maps, standard fonts and decoders of PDF.js. Throws AppError 'internal' where it is missing. */
export function pdfDataFolder(): string {
  return path.dirname(dataOf('PDF.js', ['pdfjs/cmaps', 'dist/pdfjs/cmaps', 'node_modules/pdfjs-dist/cmaps']));
}

/** Tesseract's program; its WebAssembly lies beside it. Throws AppError 'internal' where it is missing. */
export function ocrCoreFile(): string {
  const name = 'tesseract-core-simd-lstm';
  const places = [`tesseract/${name}.cjs`, `dist/tesseract/${name}.cjs`, `node_modules/tesseract.js-core/${name}.js`];
  return dataOf('Tesseract', places);
}

/** The first of some places that is there, from this file's folder upwards. */
function dataOf(library: string, places: readonly string[]): string {
  for (let folder = __dirname; ; folder = path.dirname(folder)) {
    for (const place of places) {
      const candidate = path.join(folder, place);
      if (existsSync(candidate)) return candidate;
    }
    if (path.dirname(folder) === folder) break;
  }
  throw new AppError('internal', phrase`The data files of ${library} are missing from this installation.`, {
    action: 'Run "npm run build", or install the app again.',
  });
}
