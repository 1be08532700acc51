/** Keys in the conversation: from message to message, and what one can do with the message that has the focus. */
import { useEffect } from 'react';
import { focusComposer } from '../frame/focus.ts';

/** A letter or arrow presses the button of the focused message that has this `data-action`. */
const ACTIONS: Readonly<Record<string, string>> = {
  c: 'copy',
  e: 'edit',
  r: 'regenerate',
  ArrowLeft: 'previous-branch',
  ArrowRight: 'next-branch',
};

/** `ids`: the messages in order. `goTo` draws a message, scrolls to it and gives it the focus. */
export function useMessageKeys(ids: readonly string[], goTo: (messageId: string) => void): void {
  useEffect(() => {
    function onKeyDown(event: KeyboardEvent): void {
      if (event.defaultPrevented || event.isComposing || event.keyCode === 229) return;
      if (event.ctrlKey || event.metaKey || event.shiftKey) return;
      const focused = document.activeElement?.closest<HTMLElement>('[data-message]');
      if (event.altKey) move(event, focused?.dataset.message);
      // A letter in a field or on a button of a message is that field's or button's own.
      else if (focused != null && focused === document.activeElement?.parentElement) press(event, focused);
    }

    function move(event: KeyboardEvent, from: string | undefined): void {
      if (event.key !== 'ArrowUp' && event.key !== 'ArrowDown') return;
      event.preventDefault();
      const at = from === undefined ? ids.length : ids.indexOf(from);
      const to = ids[at + (event.key === 'ArrowUp' ? -1 : 1)];
      if (to !== undefined) goTo(to);
      else if (event.key === 'ArrowDown') focusComposer();
    }

    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, [ids, goTo]);
}

function press(event: KeyboardEvent, message: HTMLElement): void {
  const action = ACTIONS[event.key.length === 1 ? event.key.toLowerCase() : event.key];
  const button = action === undefined ? null : message.querySelector<HTMLButtonElement>(`[data-action="${action}"]`);
  if (button === null) return;
  event.preventDefault();
  button.click();
}
