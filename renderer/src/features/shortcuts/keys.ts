/** Keys as texts like "Ctrl+Shift+P": whether an event is such a key, and how it is shown. */

export interface KeyPress {
  readonly key: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly shiftKey: boolean;
  readonly altKey: boolean;
}

/** Whether a key event is `keys`. Shift counts for letters only: on many layouts "/" and "?" are made with it. */
export function isKey(event: KeyPress, keys: string): boolean {
  const { ctrl, shift, alt, key } = partsOf(keys);
  if ((event.ctrlKey || event.metaKey) !== ctrl || event.altKey !== alt) return false;
  if (event.key.toLowerCase() !== key) return false;
  return event.shiftKey === shift || !/^\p{L}$/u.test(key);
}

function partsOf(keys: string): { ctrl: boolean; shift: boolean; alt: boolean; key: string } {
  const parts = keys.split('+').filter((part) => part !== '');
  const key = keys.endsWith('+') ? '+' : (parts.pop() ?? '');
  return {
    ctrl: parts.includes('Ctrl'),
    shift: parts.includes('Shift'),
    alt: parts.includes('Alt'),
    key: key.toLowerCase(),
  };
}

/** The single caps to draw: ["Ctrl", "Shift", "P"]. */
export function capsOf(keys: string): readonly string[] {
  return keys.endsWith('++') ? [...keys.slice(0, -2).split('+'), '+'] : keys.split('+');
}

/** A key without Ctrl or Alt is a letter for whoever writes in a field. */
export function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.closest('input, textarea, select, [contenteditable]') !== null;
}
