/** Tells why a page has no text: blank, a picture, or broken. */
import { OPS, type PDFPageProxy } from 'pdfjs-dist/legacy/build/pdf.mjs';
import type { PageProblem } from '../../../../contract/documents.ts';
import { takeComplaints } from './complaints.ts';
import type { PageText } from './lines.ts';

/** Share of a page's characters that stand for no character from which on none of it is worth reading. */
const UNREADABLE_SHARE = 0.3;
/** What puts ink on a page, text and pictures aside. */
const PAINTS = new Set([
  OPS.constructPath,
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

/** Of a page without text. Throws what PDF.js throws for a page that it cannot read. */
export async function whyNoText(page: PDFPageProxy): Promise<PageProblem | undefined> {
  const { fnArray } = await page.getOperatorList();
  const complaints = takeComplaints();
  if (complaints.has('picture-left-out')) return 'scanned';
  if (complaints.has('broken')) return 'broken';
  const shapes = fnArray.filter((operation) => PAINTS.has(operation)).length;
  return shapes > FEW_SHAPES ? 'scanned' : undefined;
}
