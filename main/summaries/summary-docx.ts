/** The Markdown of a summary as a Word document. */
import { Document, HeadingLevel, Packer, Paragraph } from 'docx';
import { linesOf } from './markdown-lines.ts';

const LEVELS = [HeadingLevel.HEADING_1, HeadingLevel.HEADING_2, HeadingLevel.HEADING_3] as const;

export async function docxOf(markdown: string, title: string): Promise<Uint8Array> {
  const children = linesOf(markdown).map(({ kind, level, text }) => {
    if (kind === 'heading') return new Paragraph({ text, heading: LEVELS[level - 1] ?? HeadingLevel.HEADING_3 });
    return new Paragraph(kind === 'item' ? { text, bullet: { level: 0 } } : { text });
  });
  return Packer.toBuffer(new Document({ title, creator: 'ShadowNPU', sections: [{ children }] }));
}
