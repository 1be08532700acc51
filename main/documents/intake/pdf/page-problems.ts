/** Tells why a page has no text: blank, a picture, or broken. */
import { OPS, type PDFDocumentProxy } from 'pdfjs-dist/legacy/build/pdf.mjs';
import type { PageProblem } from '../../../../contract/documents.ts';
import type { PageText } from './lines.ts';

/** Share of a page's characters that stand for no character from which on none of it is worth reading. */
const UNREADABLE_SHARE = 0.3;
/** What puts ink on a page, text and pictures aside. */
const PAINTS = new Set([
  OPS.fill,
  OPS.eoFill,
  OPS.stroke,
  OPS.fillStroke,
  OPS.eoFillStroke,
  OPS.closeStroke,
  OPS.closeFillStroke,
  OPS.closeEOFillStroke,
  OPS.shadingFill,
  OPS.paintImageMaskXObject,
  OPS.paintSolidColorImageMask,
]);
/** A page with no more painted shapes than this has a frame or a rule, not a drawing. */
const FEW_SHAPES = 8;

export function isUnreadable({ characters, unmapped }: PageText): boolean {
  return unmapped > 0 && unmapped >= characters * UNREADABLE_SHARE;
}

/** Of a page without text in a document that was opened as `strict`: pictures and errors end its drawing. */
export async function whyNoText(strict: PDFDocumentProxy, number: number): Promise<PageProblem | undefined> {
  try {
    const page = await strict.getPage(number);
    const { fnArray } = await page.getOperatorList();
    page.cleanup();
    const shapes = fnArray.filter((operation) => PAINTS.has(operation) || operation === OPS.constructPath).length;
    return shapes > FEW_SHAPES ? 'scanned' : undefined;
  } catch (error) {
    const picture = error instanceof Error && error.message.includes('Image exceeded maximum allowed size');
    return picture ? 'scanned' : 'broken';
  }
}
