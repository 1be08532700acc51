// @vitest-environment jsdom
import { act, cleanup, fireEvent, screen } from '@testing-library/react';
import { afterEach, describe, expect, it } from 'vitest';
import { FakeMain } from '../../testing/fake-main.ts';
import { openWindow } from '../../testing/open-window.tsx';
import { sends } from './send-key.ts';

afterEach(cleanup);

const field = () => screen.getByTestId<HTMLTextAreaElement>('composer-input');
const sentTexts = (main: FakeMain) =>
  main.asked.filter(({ channel }) => channel === 'messages.send').map(({ request }) => request);

async function press(init: KeyboardEventInit & { keyCode?: number }): Promise<boolean> {
  let notPrevented = true;
  await act(async () => {
    notPrevented = fireEvent.keyDown(field(), init);
  });
  return notPrevented;
}

describe('the composer', () => {
  it('sends by Enter and is empty afterwards', async () => {
    const main = new FakeMain();
    await openWindow(main);
    fireEvent.change(field(), { target: { value: 'Hello' } });
    expect(await press({ key: 'Enter' })).toBe(false);
    expect(sentTexts(main)).toEqual([{ chatId: 'chat-1', text: 'Hello' }]);
    expect(field().value).toBe('');
  });

  it('leaves Enter to the input method while it composes', async () => {
    const main = new FakeMain();
    await openWindow(main);
    fireEvent.change(field(), { target: { value: '你好' } });
    expect(await press({ key: 'Enter', isComposing: true })).toBe(true);
    expect(await press({ key: 'Enter', keyCode: 229 })).toBe(true);
    expect(sentTexts(main)).toEqual([]);
    expect(field().value).toBe('你好');
    await press({ key: 'Enter', keyCode: 13 });
    expect(sentTexts(main)).toHaveLength(1);
  });

  it('leaves Shift+Enter to the field', async () => {
    const main = new FakeMain();
    await openWindow(main);
    fireEvent.change(field(), { target: { value: 'Hello' } });
    expect(await press({ key: 'Enter', shiftKey: true })).toBe(true);
    expect(sentTexts(main)).toEqual([]);
  });

  it('does not send blanks', async () => {
    const main = new FakeMain();
    await openWindow(main);
    fireEvent.change(field(), { target: { value: ' \n ' } });
    await press({ key: 'Enter' });
    expect(sentTexts(main)).toEqual([]);
    expect(screen.getByTestId<HTMLButtonElement>('send-button').disabled).toBe(true);
  });

  it('lets a question wait for an engine that is still starting', async () => {
    const main = new FakeMain();
    main.engine = { state: 'starting' };
    await openWindow(main);
    fireEvent.change(field(), { target: { value: 'Hello' } });
    await press({ key: 'Enter' });
    expect(sentTexts(main)).toHaveLength(1);
    expect(screen.getByTestId('prefill-progress').textContent).toContain('Waiting for the model');
  });

  it('keeps the question where no model could answer it', async () => {
    const main = new FakeMain();
    main.engine = { state: 'no-model', action: 'Put a .gguf file into the models folder.' };
    await openWindow(main);
    fireEvent.change(field(), { target: { value: 'Hello' } });
    await press({ key: 'Enter' });
    expect(sentTexts(main)).toEqual([]);
    expect(field().value).toBe('Hello');
    expect(screen.getByTestId('engine-status').textContent).toContain('Put a .gguf file');
  });
});

describe('sends', () => {
  const enter = { key: 'Enter', shiftKey: false, altKey: false, isComposing: false, keyCode: 13 };
  it('takes Enter alone', () => {
    expect(sends(enter)).toBe(true);
    for (const change of [
      { key: 'a' },
      { shiftKey: true },
      { altKey: true },
      { isComposing: true },
      { keyCode: 229 },
    ]) {
      expect(sends({ ...enter, ...change })).toBe(false);
    }
  });
});

describe('the attention picker', () => {
  const picker = () => screen.getByRole<HTMLSelectElement>('combobox', { name: 'Attention' });
  const changes = (main: FakeMain) =>
    main.asked.filter(({ channel }) => channel === 'settings.set').map(({ request }) => request);

  it('offers full and shadow, and the others for comparison', async () => {
    await openWindow(new FakeMain());
    const comparison = screen.getByRole('group', { name: 'Advanced (for comparison)' });
    expect([...comparison.children].map((option) => option.getAttribute('value'))).toEqual([
      'sparse',
      'block',
      'npu-full',
    ]);
    expect(picker().value).toBe('0.2');
    const usual = [...picker().options].filter((option) => option.parentElement === picker());
    expect(usual.map(({ value }) => value)).toEqual(['full', '0.05', '0.07', '0.1', '0.2']);
  });

  it('changes mode and ratio, and keeps the ratio of the settings for other modes', async () => {
    const main = new FakeMain();
    const { settle } = await openWindow(main);
    for (const value of ['0.1', 'sparse', 'full']) {
      fireEvent.change(picker(), { target: { value } });
      await settle();
    }
    expect(changes(main)).toEqual([
      { attention: { mode: 'shadow', ratio: 0.1 } },
      { attention: { mode: 'sparse', ratio: 0.1 } },
      { attention: { mode: 'full', ratio: 0.1 } },
    ]);
  });
});
