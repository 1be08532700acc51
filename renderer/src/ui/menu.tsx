/** Menus: a button that opens one, and the popup itself for a right click. */
import { type ReactNode, type RefObject, useEffect, useId, useLayoutEffect, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import { IconButton } from './icon-button.tsx';
import { CheckIcon } from './icons.tsx';
import './menu.css';

export interface MenuItem {
  readonly label: string;
  readonly onSelect: () => void;
  readonly icon?: ReactNode;
  /** Shown at the end, as "Ctrl+N"; the key itself is handled elsewhere. */
  readonly shortcut?: string;
  readonly danger?: boolean;
  readonly disabled?: boolean;
  /** For an item that is on or off. */
  readonly checked?: boolean;
}

export type MenuEntry = MenuItem | 'separator';

/** Where a menu opens: below (or above) a rectangle of the page, or at a point, in CSS pixels of the window. */
export type MenuAnchor = { readonly below: DOMRect } | { readonly x: number; readonly y: number };

interface MenuButtonProps {
  readonly label: string;
  readonly entries: readonly MenuEntry[];
  readonly children: ReactNode;
  readonly size?: 'small' | 'normal';
  /** In lists that are walked by arrow keys. */
  readonly tabIndex?: number;
}

/** An icon button that opens a menu. */
export function MenuButton({ label, entries, children, size = 'small', tabIndex }: MenuButtonProps) {
  const [anchor, setAnchor] = useState<MenuAnchor>();
  return (
    <>
      <IconButton
        label={label}
        size={size}
        tabIndex={tabIndex}
        aria-haspopup="menu"
        aria-expanded={anchor !== undefined}
        onClick={({ currentTarget }) => setAnchor({ below: currentTarget.getBoundingClientRect() })}
      >
        {children}
      </IconButton>
      {anchor !== undefined && (
        <Menu label={label} entries={entries} anchor={anchor} onClose={() => setAnchor(undefined)} />
      )}
    </>
  );
}

interface MenuProps {
  readonly label: string;
  readonly entries: readonly MenuEntry[];
  readonly anchor: MenuAnchor;
  /** The owner takes the menu away. Called before an item is carried out. */
  readonly onClose: () => void;
}

/** The popup. Its first item has the focus; closing gives the focus back to what had it before. */
export function Menu({ label, entries, anchor, onClose }: MenuProps) {
  const menu = useRef<HTMLDivElement>(null);
  const home = useRef<Element>(document.activeElement);
  const place = usePlace(menu, anchor);
  const id = useId();

  useEffect(() => {
    itemsOf(menu.current)[0]?.focus();
    function onPointerDown({ target }: PointerEvent): void {
      if (!(target instanceof Node && menu.current?.contains(target))) onClose();
    }
    // Any of these would leave the menu standing beside what it belongs to.
    window.addEventListener('pointerdown', onPointerDown, true);
    window.addEventListener('resize', onClose);
    window.addEventListener('blur', onClose);
    return () => {
      window.removeEventListener('pointerdown', onPointerDown, true);
      window.removeEventListener('resize', onClose);
      window.removeEventListener('blur', onClose);
    };
  }, [onClose]);

  function close(): void {
    onClose();
    if (home.current instanceof HTMLElement) home.current.focus();
  }

  function onKeyDown(event: React.KeyboardEvent): void {
    const items = itemsOf(menu.current);
    const at = items.indexOf(document.activeElement as HTMLElement);
    const to = targetOf(event, items, at);
    if (event.key === 'Escape' || event.key === 'Tab') close();
    else if (to !== undefined) items[to]?.focus();
    else if (event.key !== 'Enter' && event.key !== ' ') return;
    event.stopPropagation();
    // Enter and Space press the item by themselves.
    if (event.key !== 'Enter' && event.key !== ' ') event.preventDefault();
  }

  // Inside a modal dialog only the dialog itself can be reached.
  const parent = home.current?.closest('dialog') ?? document.body;
  return createPortal(
    <div
      ref={menu}
      className="menu"
      role="menu"
      aria-label={label}
      tabIndex={-1}
      style={place}
      onKeyDown={onKeyDown}
      onContextMenu={(event) => event.preventDefault()}
    >
      {entries.map((entry, index) =>
        entry === 'separator' ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: a separator has nothing else
          <hr key={`${id}-${index}`} className="menu-line" />
        ) : (
          <button
            key={entry.label}
            type="button"
            className={`menu-item${entry.danger === true ? ' is-danger' : ''}`}
            {...(entry.checked === undefined
              ? { role: 'menuitem' }
              : { role: 'menuitemcheckbox', 'aria-checked': entry.checked })}
            aria-keyshortcuts={entry.shortcut?.replaceAll('Ctrl', 'Control')}
            tabIndex={-1}
            disabled={entry.disabled}
            onPointerEnter={({ currentTarget }) => currentTarget.focus()}
            onClick={() => {
              close();
              entry.onSelect();
            }}
          >
            <span className="menu-icon">{entry.checked === true ? <CheckIcon size={16} /> : entry.icon}</span>
            <span className="menu-label">{entry.label}</span>
            {entry.shortcut !== undefined && (
              <span className="menu-keys" aria-hidden="true">
                {entry.shortcut}
              </span>
            )}
          </button>
        ),
      )}
    </div>,
    parent,
  );
}

function itemsOf(menu: HTMLElement | null): readonly HTMLElement[] {
  return [...(menu?.querySelectorAll<HTMLElement>('.menu-item:not(:disabled)') ?? [])];
}

/** The item that a key leads to: arrows go round, Home and End to the ends, a letter to the next that begins with it. */
function targetOf(
  { key, ctrlKey, metaKey, altKey }: React.KeyboardEvent,
  items: readonly HTMLElement[],
  at: number,
): number | undefined {
  const { length } = items;
  if (key === 'ArrowDown') return (at + 1) % length;
  if (key === 'ArrowUp') return (Math.max(at, 0) - 1 + length) % length;
  if (key === 'Home') return 0;
  if (key === 'End') return length - 1;
  if (key.length !== 1 || key === ' ' || ctrlKey || metaKey || altKey) return undefined;
  const letter = key.toLowerCase();
  const begins = (index: number) => items[index]?.textContent.trim().toLowerCase().startsWith(letter) === true;
  return items.map((_, step) => (at + 1 + step) % length).find(begins);
}

/** Keeps the menu inside the window: below its anchor, or above where there is no room. */
function usePlace(menu: RefObject<HTMLElement | null>, anchor: MenuAnchor): { left: number; top: number } {
  const [place, setPlace] = useState({ left: 0, top: 0 });
  useLayoutEffect(() => {
    if (menu.current === null) return;
    const { width, height } = menu.current.getBoundingClientRect();
    setPlace(placeOf(anchor, { width, height }, { width: window.innerWidth, height: window.innerHeight }));
  }, [menu, anchor]);
  return place;
}

const MARGIN = 8;
const GAP = 4;

interface Size {
  readonly width: number;
  readonly height: number;
}

/** The corner of a menu of `size` in a window of size `room`. */
export function placeOf(anchor: MenuAnchor, size: Size, room: Size): { left: number; top: number } {
  const around =
    'below' in anchor ? anchor.below : { left: anchor.x, right: anchor.x, top: anchor.y, bottom: anchor.y };
  const gap = 'below' in anchor ? GAP : 0;
  const fitsBelow = around.bottom + gap + size.height + MARGIN <= room.height;
  const top = fitsBelow ? around.bottom + gap : around.top - gap - size.height;
  const fitsRight = around.left + size.width + MARGIN <= room.width;
  const left = fitsRight ? around.left : around.right - size.width;
  const inside = (value: number, length: number, all: number) =>
    Math.max(MARGIN, Math.min(value, all - length - MARGIN));
  return { left: inside(left, size.width, room.width), top: inside(top, size.height, room.height) };
}
