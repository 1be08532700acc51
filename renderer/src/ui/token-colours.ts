/** Colours of the design's tokens as canvases need them, and when they change. */
import { useSyncExternalStore } from 'react';

/** What changes the tokens' colours, beside the theme that is chosen. */
const PREFERENCES = ['(prefers-color-scheme: dark)', '(forced-colors: active)', '(prefers-contrast: more)'];
/** Tokens whose colours are what they tell: they stay where the system forces its own colours. */
const TELLING = /^(stage|chart|heat)-/;

function watch(listener: () => void): () => void {
  const observer = new MutationObserver(listener);
  observer.observe(document.documentElement, { attributes: true, attributeFilter: ['data-theme'] });
  const media = PREFERENCES.map((query) => window.matchMedia(query));
  for (const each of media) each.addEventListener('change', listener);
  return () => {
    observer.disconnect();
    for (const each of media) each.removeEventListener('change', listener);
  };
}

/** Changes whenever the tokens have other colours: once the page has them, not when they are wished for. */
export function useTokenTheme(): string {
  return useSyncExternalStore(watch, () =>
    [
      document.documentElement.dataset.theme ?? '',
      ...PREFERENCES.map((query) => window.matchMedia(query).matches),
    ].join(' '),
  );
}

/** Resolved for the theme of now, as "rgb(...)". */
export function tokenColours<T extends string>(names: readonly T[]): Record<T, string> {
  const probe = document.createElement('span');
  document.body.append(probe);
  const colours = Object.fromEntries(
    names.map((name) => {
      probe.style.setProperty('forced-color-adjust', TELLING.test(name) ? 'none' : 'auto');
      probe.style.color = `var(--${name})`;
      return [name, getComputedStyle(probe).color];
    }),
  );
  probe.remove();
  return colours as Record<T, string>;
}
