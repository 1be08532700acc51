/** Reads text files until the parser process does. */
import { createHash } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import type { ExtractedDocument } from '../../contract/documents.ts';
import { AppError } from '../../contract/errors.ts';

export const plainReader = {
  async read(file: string): Promise<ExtractedDocument> {
    const bytes = await readFile(file);
    const text = new TextDecoder('utf-8').decode(bytes);
    if (text.includes('\0')) {
      throw new AppError('document-unsupported', `${path.basename(file)} is no text file.`, { action: 'Attach text.' });
    }
    return {
      format: 'text',
      unit: 'part',
      pageCount: 1,
      headings: [],
      problems: [],
      bytes: bytes.length,
      sha256: createHash('sha256').update(bytes).digest('hex'),
      modifiedAt: (await stat(file)).mtimeMs,
      pages: [{ number: 1, text }],
    };
  },
};
