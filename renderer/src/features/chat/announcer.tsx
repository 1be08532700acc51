/** Tells screen readers when an answer begins and what it was once it has ended; not every word on the way. */
import { useEffect, useRef, useState } from 'react';
import type { Message } from '../../../../contract/messages.ts';
import { strings } from '../../strings.ts';

/** Longer answers are read from the page. */
const MAX_SPOKEN = 1_000;

export function Announcer({ messages }: { messages: readonly Message[] }) {
  const [words, setWords] = useState('');
  const watched = useRef<string | undefined>(undefined);
  const last = messages.at(-1);
  useEffect(() => {
    if (last === undefined || last.role !== 'assistant') return;
    if (last.state === 'streaming') {
      if (watched.current !== last.id) setWords(strings.messages.announceStart);
      watched.current = last.id;
    } else if (watched.current === last.id) {
      watched.current = undefined;
      setWords(ending(last));
    }
  }, [last]);
  return (
    <div className="visually-hidden" role="status" aria-live="polite">
      {words}
    </div>
  );
}

function ending({ state, text, error }: Message): string {
  if (state === 'failed') return strings.messages.announceFailed(error?.message ?? '');
  if (state === 'stopped') return strings.messages.announceStopped;
  return strings.messages.announceEnd(text.length > MAX_SPOKEN ? `${text.slice(0, MAX_SPOKEN)} …` : text);
}
