/** A table that is scrolled sideways where it is too wide, by keys as well. */
import type { ReactNode } from 'react';

export function TableScroll({ label, children }: { label: string; children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keys
    <section className="table-scroll" aria-label={label} tabIndex={0}>
      {children}
    </section>
  );
}
