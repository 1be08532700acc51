/** Moves the keyboard focus to the places that shortcuts lead to, once the change they made is in the page. */

export const COMPOSER_ID = 'composer-input';
export const SEARCH_ID = 'chat-search';

function focusSoon(id: string): void {
  setTimeout(() => document.getElementById(id)?.focus());
}

export function focusComposer(): void {
  focusSoon(COMPOSER_ID);
}

export function focusSearch(): void {
  focusSoon(SEARCH_ID);
}
