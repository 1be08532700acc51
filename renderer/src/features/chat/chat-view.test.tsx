// @vitest-environment jsdom
import { act, cleanup, fireEvent, screen, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { ModelInfo } from '../../../../contract/engine.ts';
import { FakeMain, makeChat, makeMessage } from '../../testing/fake-main.ts';
import { openWindow } from '../../testing/open-window.tsx';

afterEach(cleanup);
// Nothing is laid out in jsdom: its ranges do not know that they lie nowhere, and it has no CSS object.
beforeEach(() => {
  Range.prototype.getBoundingClientRect = () => new DOMRect();
  vi.stubGlobal('CSS', { escape: (text: string) => text });
});

const click = (element: HTMLElement) => act(async () => void fireEvent.click(element));

describe('finding in a chat', () => {
  function talk(): FakeMain {
    const main = new FakeMain();
    main.chats = [makeChat('c', 'Harbour', 1)];
    main.messages = {
      c: [
        makeMessage('q', 'c', 'user', 'Where is the Harbour? 港口在哪里？'),
        makeMessage(
          'a',
          'c',
          'assistant',
          'The **har**bour is here.\n\n- A harbour\n\n```js\nharbour();\n```\n\n在港口。',
        ),
      ],
    };
    return main;
  }
  const bar = () => within(screen.getByTestId('find-bar'));
  const type = (value: string) =>
    act(async () => void fireEvent.change(bar().getByRole('textbox'), { target: { value } }));
  const press = (key: string, more: KeyboardEventInit = {}) =>
    act(async () => void fireEvent.keyDown(bar().getByRole('textbox'), { key, ...more }));
  const count = () => bar().getByRole('status').textContent;

  it('counts what a reader sees, in any case and script, and goes round', async () => {
    await openWindow(talk(), 'c');
    expect(screen.queryByTestId('find-bar')).toBeNull();
    await act(async () => void fireEvent.keyDown(window, { key: 'f', ctrlKey: true }));
    await type('HARBOUR');
    // Once in the question; in the answer over a mark, in the list and in the code.
    expect(count()).toBe('1 of 4');
    await press('Enter');
    expect(count()).toBe('2 of 4');
    await press('Enter', { shiftKey: true });
    await press('Enter', { shiftKey: true });
    expect(count()).toBe('4 of 4');
    await click(bar().getByRole('button', { name: 'Next (Enter)' }));
    expect(count()).toBe('1 of 4');
    await type('港口');
    expect(count()).toBe('1 of 2');
    await type('lighthouse');
    expect(count()).toBe('Nothing found');
    await press('Enter', { isComposing: true });
    await press('Escape');
    expect(screen.queryByTestId('find-bar')).toBeNull();
  });
});

describe('the model in the chat', () => {
  const model = (id: string, name: string, more: Partial<ModelInfo> = {}): ModelInfo => ({
    id,
    name,
    architecture: 'llama',
    weights: ['fast'],
    bytes: 2e9,
    contextTrained: 8192,
    origin: 'folder',
    ...more,
  });

  it('is exchanged from a menu that knows what is there now, and never for one that cannot be used', async () => {
    const main = new FakeMain();
    await openWindow(main);
    const broken = { kind: 'model-invalid' as const, message: 'It is cut.' };
    main.models = [model('m', 'TestModel'), model('other', 'Other'), model('bad', 'Bad', { problem: broken })];
    await click(screen.getByRole('button', { name: 'Model' }));
    const menu = within(await screen.findByRole('menu', { name: 'Model' }));
    const entries = menu.getAllByRole('menuitemcheckbox').map(({ textContent }) => textContent?.replace(/\s/g, ' '));
    expect(entries).toEqual(['TestModel', 'Other · 2.0 GB']);
    const loads = () => main.asked.filter(({ channel }) => channel === 'engine.load').map(({ request }) => request);
    await click(menu.getByRole('menuitemcheckbox', { name: /^Other/ }));
    expect(loads()).toEqual([{ modelId: 'other' }]);
  });

  it('that gave its memory back says so, takes questions, and can be exchanged', async () => {
    const main = new FakeMain();
    main.engine = { state: 'unloaded', modelName: 'TestModel' };
    await openWindow(main);
    expect(screen.getByTestId('engine-status').dataset.state).toBe('unloaded');
    expect(screen.getByTestId('engine-status').textContent).toContain('TestModel');
    expect(document.querySelector('#composer-hint')?.textContent).toContain('loads the model again');
    main.models = [model('m', 'TestModel'), model('other', 'Other')];
    await click(screen.getByRole('button', { name: 'Model' }));
    const menu = within(await screen.findByRole('menu', { name: 'Model' }));
    expect(menu.getByRole('menuitemcheckbox', { name: 'TestModel' }).ariaChecked).toBe('true');
    await click(menu.getByRole('menuitemcheckbox', { name: 'TestModel' }));
    expect(main.asked).toContainEqual({ channel: 'engine.load', request: { modelId: 'm' } });
    fireEvent.change(screen.getByTestId('composer-input'), { target: { value: 'Hello' } });
    await click(screen.getByTestId('send-button'));
    expect(main.asked).toContainEqual({ channel: 'messages.send', request: { chatId: 'chat-1', text: 'Hello' } });
  });
});

describe('files', () => {
  const notes = new File(['text'], '笔记.txt');
  const names = (main: FakeMain) => main.drafts.new?.attachments.map(({ name }) => name) ?? [];

  it('that are dropped or pasted are attached', async () => {
    const main = new FakeMain();
    await openWindow(main);
    const area = screen.getByTestId('composer-input');
    const drop = { dataTransfer: { types: ['Files'], files: [notes] } };
    await act(async () => void fireEvent.drop(area, drop));
    expect(names(main)).toEqual(['笔记.txt']);
    const picture = new File(['png'], 'picture.png');
    /** Whether the page took it, instead of the field. */
    const paste = async (types: string[], files: File[]) => {
      let left = true;
      await act(async () => {
        left = fireEvent.paste(area, { clipboardData: { types, files } });
      });
      return !left;
    };
    expect(await paste(['Files'], [picture])).toBe(true);
    expect(names(main)).toEqual(['笔记.txt', 'picture.png']);
    // A cell of a table comes as text with a picture of it: the text is meant.
    expect(await paste(['text/plain', 'Files'], [picture])).toBe(false);
    expect(await paste(['text/plain'], [])).toBe(false);
    expect(names(main)).toHaveLength(2);
  });

  it('that are no files are left alone', async () => {
    const main = new FakeMain();
    await openWindow(main);
    await act(
      async () =>
        void fireEvent.drop(screen.getByTestId('composer-input'), {
          dataTransfer: { types: ['text/plain'], files: [] },
        }),
    );
    expect(names(main)).toEqual([]);
  });
});
