/** A list of any length. Only the rows in sight are in the page; one is in the tab order, and the arrow keys reach all. */
import { useVirtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import './virtual-rows.css';

interface VirtualRowsProps<R extends { readonly key: string }> {
  readonly rows: readonly R[];
  /** In CSS pixels. */
  readonly heightOf: (row: R) => number;
  /** Whether the arrow keys stop at it. */
  readonly reachable: (row: R) => boolean;
  /** The row that is open, if it is here. */
  readonly activeKey: string | null | undefined;
  /** Selects what the arrow keys move between, in a row. */
  readonly target: string;
  /** What a row shows; what `target` selects has the tab index 0 where `tabStop`, else -1. */
  readonly children: (row: R, tabStop: boolean) => ReactNode;
}

export function VirtualRows<R extends { readonly key: string }>({
  rows,
  heightOf,
  reachable,
  activeKey,
  target,
  children,
}: VirtualRowsProps<R>) {
  const scroller = useRef<HTMLDivElement>(null);
  /** The row that the arrow keys have led to. */
  const [current, setCurrent] = useState<string>();
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => (rows[index] === undefined ? 0 : heightOf(rows[index])),
    getItemKey: (index) => rows[index]?.key ?? index,
    overscan: 8,
  });
  // Heights belong to kinds of rows, and other rows may have come to the same places.
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above
  useEffect(() => virtualizer.measure(), [rows]);

  const has = (key: string | null | undefined) => rows.some((row) => row.key === key && reachable(row));
  const tabStop = has(current) ? current : has(activeKey) ? activeKey : rows.find(reachable)?.key;

  function onKeyDown(event: KeyboardEvent<HTMLElement>): void {
    const step = { ArrowDown: 1, ArrowUp: -1, Home: -Infinity, End: Infinity, PageDown: 10, PageUp: -10 }[event.key];
    if (step === undefined || !(event.target instanceof HTMLElement) || !event.target.matches(target)) return;
    event.preventDefault();
    const stops = rows.filter(reachable);
    const key = event.target.closest<HTMLElement>('[data-row]')?.dataset.row;
    const from = stops.findIndex((row) => row.key === key);
    const row = stops[Math.min(stops.length - 1, Math.max(0, from + step))];
    if (row === undefined) return;
    setCurrent(row.key);
    virtualizer.scrollToIndex(rows.indexOf(row));
    const selector = `[data-row="${CSS.escape(row.key)}"] ${target}`;
    // The row may be put into the page by scrolling only.
    requestAnimationFrame(() => setTimeout(() => scroller.current?.querySelector<HTMLElement>(selector)?.focus()));
  }

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: keys that bubble up from the buttons inside move between them
    <div ref={scroller} className="list-scroll" onKeyDown={onKeyDown}>
      <ul className="list-items" style={{ height: virtualizer.getTotalSize() }}>
        {virtualizer.getVirtualItems().map(({ index, key, start }) => {
          const row = rows[index];
          return row === undefined ? null : (
            <li key={key} data-row={row.key} className="list-row" style={{ transform: `translateY(${start}px)` }}>
              {children(row, row.key === tabStop)}
            </li>
          );
        })}
      </ul>
    </div>
  );
}
