/** Colours of the design's tokens as canvases need them, and when they change. */
import { useSyncExternalStore } from 'react';

const DARK = '(prefers-color-scheme: dark)';

function watch(listener: () => void): () => void {
  const observer = new MutationObserver(listener);
  observer.observe(document.documentElement, { attributes: true, attributeFilter: ['data-theme'] });
  const media = window.matchMedia(DARK);
  media.addEventListener('change', listener);
  return () => {
    observer.disconnect();
    media.removeEventListener('change', listener);
  };
}

/** Changes whenever the tokens have other colours: once the page has them, not when they are wished for. */
export function useTokenTheme(): string {
  return useSyncExternalStore(
    watch,
    () => `${document.documentElement.dataset.theme ?? ''} ${window.matchMedia(DARK).matches}`,
  );
}

/** Resolved for the theme of now, as "rgb(...)". */
export function tokenColours<T extends string>(names: readonly T[]): Record<T, string> {
  const probe = document.createElement('span');
  document.body.append(probe);
  const colours = Object.fromEntries(
    names.map((name) => {
      probe.style.color = `var(--${name})`;
      return [name, getComputedStyle(probe).color];
    }),
  );
  probe.remove();
  return colours as Record<T, string>;
}
