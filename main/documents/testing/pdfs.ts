/** Writes PDF files: sound ones with PDFKit, and byte by byte such as no sound program would write. */
import { deflateSync } from 'node:zlib';
import PDFDocument from 'pdfkit';

type Options = ConstructorParameters<typeof PDFDocument>[0];

export function pdf(write: (document: PDFKit.PDFDocument) => void, options: Options = {}): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const document = new PDFDocument({ ...options, info: { CreationDate: new Date(0), ...options?.info } });
    const chunks: Buffer[] = [];
    document.on('data', (chunk: Buffer) => chunks.push(chunk));
    document.on('end', () => resolve(Buffer.concat(chunks)));
    document.on('error', reject);
    write(document);
    document.end();
  });
}

/** Pages of a heading and six long paragraphs, as many as asked for. */
export function longPdf(pages: number): Promise<Buffer> {
  const paragraph =
    'Some thirty words stand in every paragraph of this page so that it is as long as pages are. '.repeat(4);
  return pdf((document) => {
    for (let i = 1; i <= pages; i++) {
      if (i > 1) document.addPage();
      document.fontSize(16).text(`Section ${i}`).fontSize(11);
      for (let k = 0; k < 6; k++) document.moveDown().text(`${i}.${k} ${paragraph}`);
    }
  });
}

/** A PDF of raw objects, the first of which is the catalogue. Streams are [dictionary without Length, bytes]. */
export function rawPdf(objects: readonly (string | [dictionary: string, stream: Buffer])[]): Buffer {
  const pieces: Buffer[] = [Buffer.from('%PDF-1.7\n%\xe2\xe3\xcf\xd3\n', 'latin1')];
  const offsets: number[] = [];
  let length = pieces[0]!.length;
  const add = (bytes: Buffer) => {
    pieces.push(bytes);
    length += bytes.length;
  };
  for (const [i, object] of objects.entries()) {
    offsets.push(length);
    add(Buffer.from(`${i + 1} 0 obj\n`));
    if (typeof object === 'string') add(Buffer.from(object, 'latin1'));
    else {
      const [dictionary, stream] = object;
      add(Buffer.from(`<<${dictionary} /Length ${stream.length}>>\nstream\n`, 'latin1'));
      add(stream);
      add(Buffer.from('\nendstream'));
    }
    add(Buffer.from('\nendobj\n'));
  }
  const start = length;
  const rows = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  const size = objects.length + 1;
  add(
    Buffer.from(
      `xref\n0 ${size}\n0000000000 65535 f \n${rows}trailer\n<</Size ${size} /Root 1 0 R>>\nstartxref\n${start}\n%%EOF\n`,
    ),
  );
  return Buffer.concat(pieces);
}

export interface RawPage {
  content: Buffer | string;
  /** Entries of its resources besides font F1. */
  resources?: string;
}

/** Pages with raw content and one font, F1, of the given dictionary; more objects follow from number `firstFree` on. */
export function rawPages(
  pages: readonly RawPage[],
  font: string,
  more: readonly (string | [string, Buffer])[] = [],
): Buffer {
  const firstFree = 4 + 2 * pages.length;
  const kids = pages.map((_, i) => `${4 + 2 * i} 0 R`).join(' ');
  return rawPdf([
    '<</Type /Catalog /Pages 2 0 R>>',
    `<</Type /Pages /Kids [${kids}] /Count ${pages.length}>>`,
    font.replaceAll('FREE', String(firstFree)),
    ...pages.flatMap(({ content, resources = '' }, i): (string | [string, Buffer])[] => [
      `<</Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents ${5 + 2 * i} 0 R ` +
        `/Resources <</Font <</F1 3 0 R>> ${resources.replaceAll('FREE', String(firstFree))}>>>>`,
      ['/Filter /FlateDecode', deflateSync(content)],
    ]),
    ...more,
  ]);
}

/** A picture that fills a page: noise, so that it is not small. */
export function png(width: number, height: number): Buffer {
  const rows = Buffer.alloc(height * (width + 1));
  let state = 1;
  for (let i = 0; i < rows.length; i++) {
    state = (state * 48271) % 2147483647;
    rows[i] = i % (width + 1) === 0 ? 0 : state & 255;
  }
  const chunk = (type: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
    const framed = Buffer.alloc(8 + body.length);
    framed.writeUInt32BE(data.length, 0);
    body.copy(framed, 4);
    return framed; // readers of PDFKit do not check the sum at the end
  };
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 0, 0, 0, 0], 8);
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}
