/** Follows a growing text at the end of a scroll area, as long as the reader is there and not further up. */
import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';

/** Coming closer to the end than this counts as being there, in CSS pixels. */
const NEAR = 32;
/** At the very end, but for rounding. */
const AT_END = 2;

interface Stick {
  readonly scroller: RefObject<HTMLDivElement | null>;
  readonly content: RefObject<HTMLDivElement | null>;
  /** Whether the end is out of sight. */
  readonly away: boolean;
  readonly jump: () => void;
}

/** Shows the end at first and again whenever `follow` changes. */
export function useStickToBottom(follow: unknown): Stick {
  const scroller = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const stuck = useRef(true);
  /** Where the area was scrolled to when last seen: less than this means that the reader went up. */
  const seenTop = useRef(0);
  const [away, setAway] = useState(false);

  const toEnd = useCallback(() => {
    const area = scroller.current;
    if (area === null) return;
    area.scrollTop = area.scrollHeight;
    seenTop.current = area.scrollTop;
  }, []);

  const jump = useCallback(() => {
    stuck.current = true;
    setAway(false);
    toEnd();
  }, [toEnd]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a change of `follow` is the reason to jump
  useLayoutEffect(jump, [follow, jump]);

  useEffect(() => {
    const area = scroller.current;
    const inner = content.current;
    if (area === null || inner === null) return;

    function onScroll(): void {
      if (area === null) return;
      const left = area.scrollHeight - area.clientHeight - area.scrollTop;
      // Only moving up leaves the end, however little: growing text alone must not look like that.
      if (area.scrollTop < seenTop.current) stuck.current = left <= AT_END;
      else if (left <= NEAR) stuck.current = true;
      seenTop.current = area.scrollTop;
      setAway(left > NEAR && !stuck.current);
    }

    const grown = new ResizeObserver(() => {
      if (stuck.current) toEnd();
      else onScroll();
    });
    grown.observe(inner);
    grown.observe(area);
    area.addEventListener('scroll', onScroll, { passive: true });
    return () => {
      grown.disconnect();
      area.removeEventListener('scroll', onScroll);
    };
  }, [toEnd]);

  return { scroller, content, away, jump };
}
