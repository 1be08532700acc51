/** KaTeX, with its styles and fonts: loaded with the first formula. */
import { render } from 'katex';
import 'katex/dist/katex.min.css';

/**
 * Draws TeX into an element. KaTeX sets styles on elements that it makes itself, which the page's policy allows;
 * its HTML as a string would hold style attributes, which the policy forbids.
 * @throws {Error} where KaTeX does not know a command
 */
export function typeset(tex: string, display: boolean, host: HTMLElement): void {
  render(tex, host, { displayMode: display, throwOnError: true, strict: 'ignore', maxSize: 20, maxExpand: 500 });
}
