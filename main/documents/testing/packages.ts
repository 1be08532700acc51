/** Writes Office, OpenDocument and EPUB packages part by part, for what no library writes. */
import { zip } from './archives.ts';

const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>';
const OFFICE = 'http://schemas.openxmlformats.org';
const RELATIONSHIPS = `${OFFICE}/officeDocument/2006/relationships`;

function relationships(list: readonly (readonly [id: string, type: string, target: string, mode?: string])[]): string {
  const rows = list.map(
    ([id, type, target, mode]) =>
      `<Relationship Id="${id}" Type="${RELATIONSHIPS}/${type}" Target="${target}"${mode ? ` TargetMode="${mode}"` : ''}/>`,
  );
  return `${XML}<Relationships xmlns="${OFFICE}/package/2006/relationships">${rows.join('')}</Relationships>`;
}

/** A Word document whose body is given as XML. `parts`: others by name; footnotes.xml is referred to. */
export function docx(body: string, parts: Readonly<Record<string, string | Uint8Array>> = {}): Promise<Buffer> {
  return zip(docxParts(body, parts));
}

export function docxParts(body: string, parts: Readonly<Record<string, string | Uint8Array>> = {}) {
  const namespaces =
    `xmlns:w="${OFFICE}/wordprocessingml/2006/main" xmlns:r="${RELATIONSHIPS}" ` +
    `xmlns:mc="${OFFICE}/markup-compatibility/2006" xmlns:wps="http://schemas.microsoft.com/office/word/2010/wordprocessingShape"`;
  return {
    '[Content_Types].xml':
      `${XML}<Types xmlns="${OFFICE}/package/2006/content-types"><Default Extension="rels" ` +
      `ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/>` +
      `<Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/>` +
      `<Override PartName="/word/styles.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.styles+xml"/>` +
      `<Override PartName="/word/footnotes.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.footnotes+xml"/></Types>`,
    '_rels/.rels': relationships([['r1', 'officeDocument', 'word/document.xml']]),
    'word/_rels/document.xml.rels': relationships([
      ['s', 'styles', 'styles.xml'],
      ['f', 'footnotes', '/word/footnotes.xml'],
      ['x', 'hyperlink', 'https://example.org/never-fetched', 'External'],
    ]),
    'word/styles.xml':
      `${XML}<w:styles ${namespaces}><w:style w:type="paragraph" w:styleId="Ueberschrift1"><w:name w:val="heading 1"/></w:style>` +
      `<w:style w:type="paragraph" w:styleId="Mine"><w:name w:val="My own"/><w:basedOn w:val="Two"/></w:style>` +
      `<w:style w:type="paragraph" w:styleId="Two"><w:name w:val="Two"/><w:pPr><w:outlineLvl w:val="1"/></w:pPr></w:style>` +
      `<w:style w:type="paragraph" w:styleId="Loop"><w:name w:val="Loop"/><w:basedOn w:val="Loop"/></w:style></w:styles>`,
    'word/document.xml': `${XML}<w:document ${namespaces}><w:body>${body}</w:body></w:document>`,
    ...parts,
  };
}

/** A presentation; slides are the XML of their shapes, undefined for one whose part is missing. */
export function pptx(
  slides: readonly (string | undefined)[],
  notes: Readonly<Record<number, string>> = {},
): Promise<Buffer> {
  const a = `xmlns:a="${OFFICE}/drawingml/2006/main" xmlns:p="${OFFICE}/presentationml/2006/main" xmlns:r="${RELATIONSHIPS}"`;
  const parts: Record<string, string> = {
    '[Content_Types].xml': `${XML}<Types xmlns="${OFFICE}/package/2006/content-types"/>`,
    '_rels/.rels': relationships([['r1', 'officeDocument', 'ppt/presentation.xml']]),
    'ppt/_rels/presentation.xml.rels': relationships(
      slides.map((_, i) => [`rId${i}`, 'slide', `slides/slide${slides.length - i}.xml`] as const),
    ),
    'ppt/presentation.xml':
      `${XML}<p:presentation ${a}><p:sldIdLst>` +
      `${slides.map((_, i) => `<p:sldId id="${256 + i}" r:id="rId${i}"/>`).join('')}</p:sldIdLst></p:presentation>`,
  };
  for (const [i, shapes] of slides.entries()) {
    const number = slides.length - i;
    if (shapes === undefined) continue;
    parts[`ppt/slides/slide${number}.xml`] =
      `${XML}<p:sld ${a}><p:cSld><p:spTree>${shapes}</p:spTree></p:cSld></p:sld>`;
    const note = notes[i];
    if (note === undefined) continue;
    parts[`ppt/slides/_rels/slide${number}.xml.rels`] = relationships([
      ['n', 'notesSlide', `../notesSlides/n${number}.xml`],
    ]);
    parts[`ppt/notesSlides/n${number}.xml`] =
      `${XML}<p:notes ${a}><p:cSld><p:spTree>${shape('Slide number', 'sldNum')}${shape(note, 'body')}</p:spTree></p:cSld></p:notes>`;
  }
  return zip(parts);
}

/** A shape with a paragraph for each line. */
export function shape(text: string, placeholder?: string): string {
  const kind = placeholder === undefined ? '' : `<p:nvPr><p:ph type="${placeholder}"/></p:nvPr>`;
  const paragraphs = text.split('\n').map((line) => `<a:p><a:r><a:t>${line}</a:t></a:r></a:p>`);
  return `<p:sp><p:nvSpPr>${kind}</p:nvSpPr><p:txBody>${paragraphs.join('')}</p:txBody></p:sp>`;
}

const ODF = 'urn:oasis:names:tc:opendocument:xmlns';

export interface OdtOptions {
  styles?: string;
  softPageBreaks?: boolean;
  parts?: Readonly<Record<string, string>>;
}

export function odt(
  body: string,
  { styles = '', softPageBreaks = false, parts = {} }: OdtOptions = {},
): Promise<Buffer> {
  const namespaces =
    `xmlns:office="${ODF}:office:1.0" xmlns:text="${ODF}:text:1.0" xmlns:table="${ODF}:table:1.0" ` +
    `xmlns:style="${ODF}:style:1.0" xmlns:fo="${ODF}:xsl-fo-compatible:1.0" xmlns:draw="${ODF}:drawing:1.0" ` +
    `xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:manifest="${ODF}:manifest:1.0"`;
  const soft = softPageBreaks ? ' text:use-soft-page-breaks="true"' : '';
  return zip(
    {
      mimetype: 'application/vnd.oasis.opendocument.text',
      'META-INF/manifest.xml': `${XML}<manifest:manifest ${namespaces}><manifest:file-entry manifest:full-path="/" manifest:media-type="application/vnd.oasis.opendocument.text"/><manifest:file-entry manifest:full-path="content.xml" manifest:media-type="text/xml"/></manifest:manifest>`,
      'styles.xml': `${XML}<office:document-styles ${namespaces}/>`,
      'meta.xml': `${XML}<office:document-meta ${namespaces}><office:meta><dc:title>An open text</dc:title></office:meta></office:document-meta>`,
      'content.xml':
        `${XML}<office:document-content ${namespaces}><office:automatic-styles>${styles}</office:automatic-styles>` +
        `<office:body><office:text${soft}>${body}</office:text></office:body></office:document-content>`,
      ...parts,
    },
    ['mimetype'],
  );
}

const address = (file: string) => encodeURI(file).replaceAll('&', '&amp;');

export interface Chapter {
  /** File name in the book's folder. */
  file: string;
  /** Undefined for one that the book names and does not have. */
  body?: string;
  /** Its name in the table of contents. */
  title?: string;
}

export function epub(chapters: readonly Chapter[], parts: Readonly<Record<string, string>> = {}): Promise<Buffer> {
  const items = chapters.map(
    ({ file }, i) => `<item id="c${i}" href="${address(file)}" media-type="application/xhtml+xml"/>`,
  );
  const links = chapters.flatMap(({ file, title }) =>
    title === undefined ? [] : [`<li><a href="${address(file)}#top"><span>${title}</span></a></li>`],
  );
  const page = (title: string, body: string) =>
    `${XML}<!DOCTYPE html><html xmlns="http://www.w3.org/1999/xhtml"><head><title>${title}</title><style>p { x: y }</style></head><body>${body}</body></html>`;
  return zip(
    {
      mimetype: 'application/epub+zip',
      'META-INF/container.xml': `${XML}<container version="1.0" xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles><rootfile full-path="OEBPS/book.opf" media-type="application/oebps-package+xml"/></rootfiles></container>`,
      'OEBPS/book.opf':
        `${XML}<package version="3.0" unique-identifier="id" xmlns="http://www.idpf.org/2007/opf"><metadata xmlns:dc="http://purl.org/dc/elements/1.1/">` +
        `<dc:identifier id="id">x</dc:identifier><dc:title>A small book</dc:title><dc:language>en</dc:language></metadata>` +
        `<manifest>${items.join('')}<item id="nav" href="nav.xhtml" media-type="application/xhtml+xml" properties="nav"/></manifest>` +
        `<spine>${chapters.map((_, i) => `<itemref idref="c${i}"/>`).join('')}</spine></package>`,
      'OEBPS/nav.xhtml': page(
        'Contents',
        `<nav epub:type="toc" xmlns:epub="http://www.idpf.org/2007/ops"><ol>${links.join('')}</ol></nav>`,
      ),
      ...Object.fromEntries(
        chapters.flatMap(({ file, body, title = '' }) =>
          body === undefined ? [] : [[`OEBPS/${file}`, page(title, body)]],
        ),
      ),
      ...parts,
    },
    ['mimetype'],
  );
}
