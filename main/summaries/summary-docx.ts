/** The Markdown of a summary as a Word document: headings, paragraphs and list items are all that it has. */
import { Document, HeadingLevel, Packer, Paragraph } from 'docx';

const LEVELS = [HeadingLevel.HEADING_1, HeadingLevel.HEADING_2, HeadingLevel.HEADING_3] as const;

export async function docxOf(markdown: string, title: string): Promise<Uint8Array> {
  const children = markdown
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => {
      const heading = /^(#{1,6})\s+(.*)$/.exec(line);
      if (heading) {
        const level = LEVELS[Math.min(LEVELS.length, heading[1]?.length ?? 1) - 1] ?? HeadingLevel.HEADING_3;
        return new Paragraph({ text: heading[2] ?? '', heading: level });
      }
      const item = /^\s*(?:[-*•]|\d{1,3}[.)])\s+(.*)$/.exec(line);
      return item ? new Paragraph({ text: item[1] ?? '', bullet: { level: 0 } }) : new Paragraph({ text: line });
    });
  return Packer.toBuffer(new Document({ title, creator: 'ShadowNPU', sections: [{ children }] }));
}
