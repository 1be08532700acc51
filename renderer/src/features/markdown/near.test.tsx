// @vitest-environment jsdom
import { act, cleanup, render, screen } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { Near, NearContext, type NearWatch } from './near.tsx';

afterEach(cleanup);

/** A watch that the test itself moves. */
function handWatch(): { watch: NearWatch; move: (isIntersecting: boolean, height: number) => void } {
  let listener: Parameters<NearWatch['watch']>[1] = () => undefined;
  return {
    watch: {
      watch(_element, told) {
        listener = told;
        return () => undefined;
      },
    },
    move: (isIntersecting, height) =>
      act(() => listener({ isIntersecting, boundingClientRect: { height } } as IntersectionObserverEntry)),
  };
}

function piece(more: { first?: boolean; hold?: boolean } = {}) {
  return (
    <Near estimate={() => 70} first={more.first ?? false} hold={more.hold ?? false} data-testid="piece">
      <button type="button">Content</button>
    </Near>
  );
}

const host = () => screen.getByTestId('piece');

it('is as high as estimated until it is near, and as high as it was afterwards', () => {
  const { watch, move } = handWatch();
  render(<NearContext value={watch}>{piece()}</NearContext>);
  expect(host().textContent).toBe('');
  expect(host().style.height).toBe('70px');
  move(true, 70);
  expect(host().textContent).toBe('Content');
  expect(host().style.height).toBe('');
  move(false, 123);
  expect(host().textContent).toBe('');
  expect(host().style.height).toBe('123px');
});

it('stays while it has the focus', () => {
  const { watch, move } = handWatch();
  render(<NearContext value={watch}>{piece({ first: true })}</NearContext>);
  screen.getByRole('button').focus();
  move(false, 50);
  expect(host().textContent).toBe('Content');
  screen.getByRole('button').blur();
  move(false, 50);
  expect(host().textContent).toBe('');
});

it('stays while it is held, and where nothing is watched', () => {
  const { watch, move } = handWatch();
  const view = render(<NearContext value={watch}>{piece({ hold: true })}</NearContext>);
  move(false, 50);
  expect(host().textContent).toBe('Content');
  view.rerender(<NearContext value={watch}>{piece()}</NearContext>);
  expect(host().textContent).toBe('');
  cleanup();
  render(piece());
  expect(host().textContent).toBe('Content');
});
