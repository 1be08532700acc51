// @vitest-environment jsdom
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { fillPage } from '../testing/fill-page.ts';
import { Confirm, Dialog } from './dialog.tsx';
import { MenuButton, type MenuEntry, placeOf } from './menu.tsx';

beforeAll(fillPage);
afterEach(cleanup);

describe('a menu', () => {
  function open(entries: readonly MenuEntry[]): HTMLElement {
    render(
      <MenuButton label="More" entries={entries}>
        m
      </MenuButton>,
    );
    const button = screen.getByRole('button', { name: 'More' });
    button.focus();
    fireEvent.click(button);
    return button;
  }
  const focused = () => document.activeElement?.textContent;
  const press = (key: string) => {
    fireEvent.keyDown(document.activeElement as Element, { key });
    return true;
  };
  const entries = (onSelect = () => undefined): MenuEntry[] => [
    { label: 'Pin', onSelect },
    { label: 'Rename', onSelect },
    'separator',
    { label: 'Removed', onSelect, disabled: true },
    { label: 'Delete', onSelect, danger: true },
  ];

  it('is walked by arrows, ends and letters, past what is disabled', () => {
    open(entries());
    const walk = ['ArrowDown', 'ArrowDown', 'ArrowDown', 'ArrowUp', 'Home', 'End', 'r', 'r', 'x'];
    expect([focused(), ...walk.map((key) => press(key) && focused())]).toEqual([
      'Pin',
      'Rename',
      'Delete',
      'Pin',
      'Delete',
      'Pin',
      'Delete',
      'Rename',
      'Rename',
      'Rename',
    ]);
  });

  it.each(['Escape', 'Tab'])('is closed by %s, the focus goes back and the key goes no further', (key) => {
    const button = open(entries());
    const seen = vi.fn();
    window.addEventListener('keydown', seen);
    press(key);
    window.removeEventListener('keydown', seen);
    expect(screen.queryByRole('menu')).toBeNull();
    expect(document.activeElement).toBe(button);
    expect(seen).not.toHaveBeenCalled();
  });

  it('is closed by a press elsewhere, and before an item is carried out', () => {
    const onSelect = vi.fn(() => expect(document.activeElement).toBe(button));
    const button = open([{ label: 'Pin', onSelect }]);
    fireEvent.pointerDown(document.body);
    expect(screen.queryByRole('menu')).toBeNull();
    button.focus();
    fireEvent.click(button);
    fireEvent.click(screen.getByRole('menuitem', { name: 'Pin' }));
    expect(onSelect).toHaveBeenCalledOnce();
    expect(document.activeElement).toBe(button);
  });

  it('stays inside the window', () => {
    const size = { width: 200, height: 300 };
    const room = { width: 800, height: 600 };
    const button = (left: number, top: number) => ({ below: new DOMRect(left, top, 30, 30) });
    expect(placeOf(button(100, 50), size, room)).toEqual({ left: 100, top: 84 });
    expect(placeOf(button(700, 500), size, room)).toEqual({ left: 530, top: 196 });
    expect(placeOf({ x: 790, y: 590 }, size, room)).toEqual({ left: 590, top: 290 });
    expect(placeOf({ x: 5, y: 5 }, { width: 200, height: 900 }, room)).toEqual({ left: 8, top: 8 });
  });
});

describe('a dialog', () => {
  it('gives the focus back, and its owner decides about closing', () => {
    const onClose = vi.fn();
    const dialog = (open: boolean) => (
      <>
        <button type="button">Opener</button>
        {open && (
          <Dialog title="Title" onClose={onClose}>
            text
          </Dialog>
        )}
      </>
    );
    const { rerender } = render(dialog(false));
    screen.getByRole('button', { name: 'Opener' }).focus();
    rerender(dialog(true));
    const element = screen.getByRole('dialog', { name: 'Title' });
    const cancel = new Event('cancel', { cancelable: true });
    element.dispatchEvent(cancel);
    expect(cancel.defaultPrevented).toBe(true);
    fireEvent.pointerDown(screen.getByText('text'));
    fireEvent.click(element);
    expect(onClose).toHaveBeenCalledTimes(1);
    fireEvent.pointerDown(element);
    fireEvent.click(element);
    expect(onClose).toHaveBeenCalledTimes(2);
    rerender(dialog(false));
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Opener' }));
  });

  it('that asks has the focus on what changes nothing', () => {
    const onConfirm = vi.fn();
    render(<Confirm title="Delete?" text="Gone." action="Delete" danger onConfirm={onConfirm} onCancel={() => {}} />);
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Cancel' }));
    fireEvent.click(screen.getByRole('button', { name: 'Delete' }));
    expect(onConfirm).toHaveBeenCalledOnce();
  });
});
