/** Reads files in the test's own thread, without a parser process. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import type { DocumentPage, ExtractedDocument, OcrChoice } from '../../../contract/documents.ts';
import { readFile } from '../intake/read-file.ts';

/** A folder that is there until the tests of a file have ended. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'shadownpu documents ü '));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

export async function readDocument(path: string, password?: string, ocr?: OcrChoice): Promise<ExtractedDocument> {
  const pages: DocumentPage[] = [];
  const file = { path, ...(password === undefined ? {} : { password }), ...(ocr === undefined ? {} : { ocr }) };
  const outline = await readFile(file, { page: (page) => pages.push(page), progress: () => undefined });
  return { ...outline, pages };
}

/** Writes a file and reads it. */
export function readBytes(folder: string, name: string, bytes: Uint8Array | string, password?: string) {
  const file = join(folder, name);
  writeFileSync(file, bytes);
  return readDocument(file, password);
}

export function textOf({ pages }: ExtractedDocument): string {
  return pages.map(({ text }) => text).join('\n');
}

/** Words in their order, for comparison with other programs, which divide lines in other places. */
export function wordsOf(text: string): string[] {
  return text.split(/[\s|]+/).filter((word) => word !== '' && !/^[-+=:•]+$/.test(word));
}
