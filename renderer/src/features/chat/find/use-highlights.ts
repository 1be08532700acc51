/** Colours what is looked for, as far as it is in the page. */
import { type RefObject, useEffect } from 'react';
import { rangesOf } from './ranges.ts';

const ALL = 'chat-find';
const CURRENT = 'chat-find-current';

/** `current`: the range of the occurrence that one is at, asked for whenever the page has changed. */
export function useHighlights(
  content: RefObject<HTMLElement | null>,
  query: string,
  current: () => Range | undefined,
): void {
  useEffect(() => {
    const root = content.current;
    if (root === null || query.trim() === '' || typeof Highlight === 'undefined') return;
    let frame = 0;
    function paint(): void {
      frame = 0;
      if (root === null) return;
      CSS.highlights.set(ALL, new Highlight(...rangesOf(root, query)));
      const at = current();
      const one = at === undefined ? new Highlight() : new Highlight(at);
      one.priority = 1;
      CSS.highlights.set(CURRENT, one);
    }
    paint();
    // What is scrolled near is drawn, and an answer may still grow.
    const changes = new MutationObserver(() => {
      frame ||= requestAnimationFrame(paint);
    });
    changes.observe(root, { childList: true, subtree: true, characterData: true });
    return () => {
      changes.disconnect();
      cancelAnimationFrame(frame);
      CSS.highlights.delete(ALL);
      CSS.highlights.delete(CURRENT);
    };
  }, [content, query, current]);
}
