// @vitest-environment jsdom
import { act, cleanup, fireEvent, screen, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FakeMain, makeChat } from '../../testing/fake-main.ts';
import { openWindow } from '../../testing/open-window.tsx';
import { actions } from '../frame/actions.ts';
import { capsOf, isKey, type KeyPress } from '../shortcuts/keys.ts';
import { fuzzyMatch } from './fuzzy.ts';
import { type PaletteItem, rank } from './items.ts';
import { readRecent, rememberRecent } from './recent.ts';

beforeEach(() => window.localStorage.clear());
afterEach(cleanup);

describe('matching', () => {
  const marked = (text: string, typed: string) => {
    const match = fuzzyMatch(text, typed);
    return match && [...text].map((char, index) => (match.at.includes(index) ? char.toUpperCase() : char)).join('');
  };
  it.each([
    ['new chat', 'nc', 'New Chat'],
    ['new chat', 'chat', 'new CHAT'],
    ['go to settings', 'gset', 'Go to SETtings'],
    ['go to settings', 'set go', undefined],
    ['theme: dark', 'td', 'Theme: Dark'],
    ['新建对话', '对话', '新建对话'],
    ['café', 'CAFE', 'CAFÉ'],
    ['ｆｕｌｌ width', 'full', 'ＦＵＬＬ width'],
    ['new chat', 'x', undefined],
    ['new chat', 'new chats', undefined],
  ])('%j for %j', (text, typed, expected) => expect(marked(text, typed)).toBe(expected));

  it('prefers words, beginnings and short texts', () => {
    const score = (text: string, typed: string) => fuzzyMatch(text, typed)?.score ?? 0;
    expect(score('new chat', 'ch')).toBeGreaterThan(score('nachher', 'ch'));
    expect(score('Zoom in', 'zoom')).toBeGreaterThan(score('Make the zoom smaller', 'zoom'));
    expect(score('New chat', 'nc')).toBeGreaterThan(score('Once', 'nc'));
  });
});

describe('ranking', () => {
  const item = (id: string, label: string, kind: PaletteItem['kind'] = 'action'): PaletteItem => ({
    id,
    label,
    kind,
    run: () => undefined,
  });
  const chats = Array.from({ length: 9 }, (_, index) => item(`c${index}`, `Chat ${index}`, 'chat'));
  const items = [item('a', 'Zoom in'), item('b', 'Zoom out'), ...chats];
  const ids = (query: string, recent: string[]) => rank(items, query, recent).map(({ id }) => id);

  it('shows what was used last first, and only a few chats', () => {
    expect(ids('', ['c7', 'b', 'gone'])).toEqual(['c7', 'b', 'a', 'c0', 'c1', 'c2', 'c3', 'c4']);
  });
  it('lets use decide between equals', () => {
    expect(ids('zoom', [])[0]).toBe('a');
    expect(ids('zoom', ['b'])[0]).toBe('b');
    expect(ids('chat 8', ['a', 'b', 'c1'])).toEqual(['c8']);
  });
  it('remembers the newest few, once each', () => {
    for (const id of ['1', '2', '3', '4', '5', '6', '7', '8', '9', '3']) rememberRecent(window.localStorage, id);
    expect(readRecent(window.localStorage)).toEqual(['3', '9', '8', '7', '6', '5', '4', '2']);
    window.localStorage.setItem('shadownpu.palette', '{');
    expect(readRecent(window.localStorage)).toEqual([]);
  });
});

describe('keys', () => {
  const press = (key: string, held = ''): KeyPress => ({
    key,
    ctrlKey: held.includes('c'),
    metaKey: held.includes('m'),
    shiftKey: held.includes('s'),
    altKey: held.includes('a'),
  });
  it.each([
    ['Ctrl+N', press('n', 'c'), true],
    ['Ctrl+N', press('N', 'm'), true],
    ['Ctrl+N', press('N', 'cs'), false],
    ['Ctrl+Shift+N', press('N', 'cs'), true],
    ['Ctrl+Shift+N', press('n', 'c'), false],
    ['Ctrl+N', press('n', 'ca'), false],
    ['Ctrl+/', press('/', 'cs'), true],
    ['?', press('?', 's'), true],
    ['?', press('?', 'cs'), false],
    ['Ctrl++', press('+', 'cs'), true],
    ['F1', press('F1'), true],
  ])('%s is %j: %s', (keys, event, expected) => expect(isKey(event, keys)).toBe(expected));

  it('are drawn one cap each', () => {
    expect(capsOf('Ctrl+Shift+P')).toEqual(['Ctrl', 'Shift', 'P']);
    expect(capsOf('Ctrl++')).toEqual(['Ctrl', '+']);
    expect(capsOf('?')).toEqual(['?']);
  });

  it('mean one thing each', () => {
    const all = actions.flatMap(({ group, keys = [] }) =>
      keys.map((key) => `${group === 'messages' ? group : ''} ${key}`),
    );
    expect(new Set(all).size).toBe(all.length);
    expect(new Set(actions.map(({ id }) => id)).size).toBe(actions.length);
  });
});

describe('the palette', () => {
  const results = () => within(screen.getByRole('listbox', { name: 'Results' }));
  const field = () => screen.getByTestId<HTMLInputElement>('palette-input');
  const chosen = () =>
    results()
      .getAllByRole('option', { selected: true })
      .map(({ textContent }) => textContent);
  const key = (name: string, more = {}) => fireEvent.keyDown(field(), { key: name, ...more });
  async function open(main = new FakeMain()) {
    main.chats = [makeChat('one', 'Trip to 上海', 1)];
    const opened = await openWindow(main);
    fireEvent.keyDown(window, { key: 'P', ctrlKey: true, shiftKey: true });
    return { main, ...opened };
  }

  it('opens by key with the focus in its field, and runs what Enter chooses', async () => {
    const { main, settle } = await open();
    expect(document.activeElement).toBe(field());
    fireEvent.change(field(), { target: { value: 'zin' } });
    expect(chosen()).toEqual(['Zoom inCtrl+']);
    expect(field().getAttribute('aria-activedescendant')).toBe(results().getByRole('option', { selected: true }).id);
    key('Enter', { isComposing: true });
    expect(screen.queryByTestId('palette-input')).not.toBeNull();
    key('Enter');
    await settle();
    expect(screen.queryByTestId('palette-input')).toBeNull();
    expect(main.asked).toContainEqual({ channel: 'app.zoom', request: { change: 'in' } });
    fireEvent.keyDown(window, { key: 'F1' });
    expect(results().getAllByRole('option')[0]?.textContent).toContain('Zoom in');
  });

  it('is walked round by arrows', async () => {
    await open();
    const count = results().getAllByRole('option').length;
    const [first] = chosen();
    key('ArrowUp');
    expect(results().getAllByRole('option')[count - 1]?.getAttribute('aria-selected')).toBe('true');
    key('ArrowDown');
    expect(chosen()).toEqual([first]);
  });

  it('opens chats, and says when nothing matches', async () => {
    const { store, settle } = await open();
    fireEvent.change(field(), { target: { value: 'qqqq' } });
    expect(screen.getByText('Nothing matches.')).toBeDefined();
    fireEvent.change(field(), { target: { value: '上海' } });
    await act(async () => void fireEvent.click(results().getByRole('option', { selected: true })));
    await settle();
    expect(store.get().activeChatId).toBe('one');
  });

  it('keeps the keys of the window from working beneath it', async () => {
    const { store } = await open();
    fireEvent.keyDown(field(), { key: ',', ctrlKey: true });
    expect(store.get().view).toBe('chat');
  });
});

describe('the overview of keys', () => {
  it('opens by ?, but not for someone who writes, and names every key', async () => {
    await openWindow(new FakeMain());
    fireEvent.keyDown(screen.getByTestId('composer-input'), { key: '?', shiftKey: true });
    expect(screen.queryByRole('dialog')).toBeNull();
    fireEvent.keyDown(document.body, { key: '?', shiftKey: true });
    const dialog = screen.getByRole('dialog', { name: 'Keyboard shortcuts' });
    for (const { label, keys } of actions) if (keys !== undefined) expect(dialog.textContent).toContain(label());
  });
});
