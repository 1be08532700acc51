/** Brings a message into sight that something outside of the conversation leads to, such as a search. */
import { type RefObject, useEffect, useState } from 'react';
import { useApp, useAppState } from '../../store/context.ts';

/** Messages above it may be drawn only now and push it away: it is held in sight this long, in milliseconds. */
const HOLD_MS = 600;
const STEP_MS = 50;
/** How long it is marked. */
const MARK_MS = 2_500;

/** The message that is to be marked now. */
export function useReveal(scroller: RefObject<HTMLElement | null>): string | undefined {
  const { store } = useApp();
  const wanted = useAppState((state) => state.reveal);
  const [marked, setMarked] = useState<string>();

  useEffect(() => {
    if (wanted === null) return;
    const begun = Date.now();
    const step = () => {
      const selector = `[data-message="${CSS.escape(wanted)}"]`;
      scroller.current?.querySelector(selector)?.scrollIntoView({ block: 'center' });
      if (Date.now() - begun < HOLD_MS) return;
      clearInterval(timer);
      store.dispatch({ type: 'reveal', messageId: null });
    };
    const timer = setInterval(step, STEP_MS);
    setMarked(wanted);
    return () => clearInterval(timer);
  }, [wanted, scroller, store]);

  useEffect(() => {
    if (marked === undefined) return;
    const timer = setTimeout(() => setMarked(undefined), MARK_MS);
    return () => clearTimeout(timer);
  }, [marked]);

  return marked;
}
