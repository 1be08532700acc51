/** Prints a page of our own to PDF. */
import { withHiddenPage } from './hidden-page.ts';

export function printToPdf(html: string): Promise<Uint8Array> {
  return withHiddenPage(html, (page) => page.printToPDF({ printBackground: false }));
}
