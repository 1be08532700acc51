/** The state of finding: what is looked for, where it stands, and which occurrence one is at. */
import { type RefObject, useCallback, useEffect, useLayoutEffect, useMemo, useState } from 'react';
import type { Message } from '../../../../../contract/messages.ts';
import { FIND_ID } from './find-bar.tsx';
import { findMatches, type Match } from './matches.ts';
import { rangesOf } from './ranges.ts';
import { useHighlights } from './use-highlights.ts';

export interface Find {
  readonly open: boolean;
  readonly query: string;
  readonly count: number;
  readonly at: number | undefined;
  /** The occurrence that one is at. */
  readonly match: Match | undefined;
  readonly setQuery: (query: string) => void;
  readonly step: (by: 1 | -1) => void;
  readonly close: () => void;
}

export function useFind(
  messages: readonly Message[],
  scroller: RefObject<HTMLElement | null>,
  content: RefObject<HTMLElement | null>,
): Find {
  const [open, setOpen] = useState(false);
  const [query, setQuery] = useState('');
  const [wanted, setWanted] = useState(0);
  const matches = useMemo(() => (open ? findMatches(messages, query) : []), [messages, query, open]);
  const at = matches.length === 0 ? undefined : Math.min(wanted, matches.length - 1);
  const match = at === undefined ? undefined : matches[at];
  const key = match === undefined ? '' : `${match.messageId} ${match.chunk} ${match.ordinal}`;

  // By its key: another list with the same match is no reason to scroll.
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above
  const current = useCallback(
    () => (match === undefined || content.current === null ? undefined : rangeOf(content.current, match, query)),
    [key, query, content],
  );
  useHighlights(content, open ? query : '', current);

  useLayoutEffect(() => {
    const range = current();
    const area = scroller.current;
    if (range === undefined || area === null) return;
    const box = range.getBoundingClientRect();
    const view = area.getBoundingClientRect();
    // Room for the bar above it.
    if (box.top < view.top + 56 || box.bottom > view.bottom) {
      area.scrollTop += box.top - view.top - view.height / 2;
    }
  }, [current, scroller]);

  useEffect(() => {
    function onKeyDown(event: KeyboardEvent): void {
      const command = (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey;
      if (!command || event.key.toLowerCase() !== 'f') return;
      event.preventDefault();
      setOpen(true);
      setTimeout(() => {
        const field = document.getElementById(FIND_ID);
        if (field instanceof HTMLInputElement) field.select();
      });
    }
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, []);

  return {
    open,
    query,
    count: matches.length,
    at,
    match,
    setQuery(text) {
      setQuery(text);
      setWanted(0);
    },
    step(by) {
      if (at !== undefined) setWanted((at + by + matches.length) % matches.length);
    },
    close() {
      setOpen(false);
    },
  };
}

/** Where a match stands in the page, once its chunk is drawn. Marks between its letters may make it a chunk at large. */
function rangeOf(content: HTMLElement, match: Match, query: string): Range | undefined {
  const message = content.querySelector(`[data-message="${CSS.escape(match.messageId)}"]`);
  const chunk = message?.querySelector(`[data-chunk="${match.chunk}"]`) ?? message;
  if (chunk == null) return undefined;
  const ranges = rangesOf(chunk, query);
  const range = ranges[match.ordinal] ?? ranges.at(-1);
  if (range !== undefined) return range;
  const whole = document.createRange();
  whole.selectNodeContents(chunk);
  return whole;
}
