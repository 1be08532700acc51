// @vitest-environment jsdom
import { act, cleanup, fireEvent, screen, within } from '@testing-library/react';
import { afterEach, describe, expect, it } from 'vitest';
import { AppError } from '../../contract/errors.ts';
import { FakeMain, makeChat, makeMessage } from './testing/fake-main.ts';
import { openWindow } from './testing/open-window.tsx';

afterEach(cleanup);

const field = () => screen.getByTestId<HTMLTextAreaElement>('composer-input');
const answers = () => screen.queryAllByTestId('message-assistant').map(({ textContent }) => textContent);
const questions = () => screen.queryAllByTestId('message-user').map(({ textContent }) => textContent);
const chatNamed = (title: string) => screen.getByTitle(title);
const click = (element: HTMLElement) => act(async () => void fireEvent.click(element));

async function ask(text: string): Promise<void> {
  fireEvent.change(field(), { target: { value: text } });
  await click(screen.getByTestId('send-button'));
}

function twoChats(): FakeMain {
  const main = new FakeMain();
  main.chats = [makeChat('one', 'One', 2), makeChat('two', 'Two', 1)];
  main.messages = {
    one: [],
    two: [makeMessage('q2', 'two', 'user', 'Old question'), makeMessage('a2', 'two', 'assistant', 'Old answer')],
  };
  return main;
}

describe('an answer', () => {
  it('streams, ends and shows how it was made', async () => {
    const main = new FakeMain();
    const { settle } = await openWindow(main);
    await ask('Hello');
    const answer = main.answer('chat-1');
    expect(screen.getByTestId('message-user').textContent).toBe('Hello');
    main.emit({
      type: 'prefill',
      chatId: 'chat-1',
      messageId: answer.id,
      purpose: 'answer',
      done: 256,
      total: 1024,
      tokensPerSecond: 512,
    });
    await settle();
    const progress = screen.getByTestId('prefill-progress').textContent?.replace(/\s/g, ' ');
    expect(progress).toContain('256 of 1,024 tokens');
    // The 768 that are left take 1.5 seconds at 512 a second.
    expect(progress).toMatch(/512 tok\/s.*2 s left|512 tok\/s.*1\.5 s left/);
    expect(within(screen.getByTestId('prefill-progress')).getByRole('progressbar').getAttribute('aria-valuenow')).toBe(
      '25',
    );
    main.stream(answer, 'Some **bo');
    main.stream(answer, 'ld** words');
    await settle();
    expect(screen.queryByTestId('prefill-progress')).toBeNull();
    expect(screen.getByTestId('message-assistant').querySelector('strong')?.textContent).toBe('bold');
    expect(screen.getByTestId('message-assistant').textContent).toContain('40');
    main.end(answer, {
      state: 'complete',
      result: {
        promptTokens: 10,
        cachedTokens: 0,
        completionTokens: 3,
        finishReason: 'stop',
        prefill: { seconds: 0.1, tokensPerSecond: 100 },
        decode: { seconds: 0.1, tokensPerSecond: 30 },
        firstTokenMs: 120,
        attention: { mode: 'shadow', ratio: 0.2, pilotDevice: null },
        device: 'CPU',
        model: 'TestModel',
        weights: 'fast',
      },
    });
    await settle();
    expect(screen.getByTestId('answer-footer').textContent).toMatch(/TestModel.*Shadow 20.*CPU.*100.*30.*0\.12/);
    expect(screen.getByTestId('send-button')).toBeDefined();
  });

  it('is whole again after an event was lost', async () => {
    const main = new FakeMain();
    const { settle } = await openWindow(main);
    await ask('Hello');
    const answer = main.answer('chat-1');
    main.stream(answer, 'One ');
    main.stream(answer, 'two ', { lost: true });
    main.stream(answer, 'three');
    await settle();
    await settle();
    expect(answers()[0]).toContain('One two three');
  });

  it('does not run into another chat that is opened meanwhile', async () => {
    const main = twoChats();
    const { settle } = await openWindow(main);
    await click(chatNamed('One'));
    await ask('New question');
    const answer = main.answer('one');
    main.stream(answer, 'First part, ');
    await settle();
    await click(chatNamed('Two'));
    main.stream(answer, 'second part');
    await settle();
    expect(answers()).toEqual(['Old answer']);
    expect(screen.queryByTestId('stop-button')).toBeNull();
    await click(chatNamed('One'));
    expect(answers()[0]).toContain('First part, second part');
    expect(screen.getByTestId('stop-button')).toBeDefined();
    expect(main.asked.some(({ channel }) => channel === 'messages.stop')).toBe(false);
  });

  it('is stopped by the button or Esc, keeps its text, and says so', async () => {
    const main = new FakeMain();
    const { settle } = await openWindow(main);
    await ask('Hello');
    const answer = main.answer('chat-1');
    main.stream(answer, 'Half an ans');
    await settle();
    fireEvent.keyDown(field(), { key: 'Escape', isComposing: true });
    expect(main.asked.some(({ channel }) => channel === 'messages.stop')).toBe(false);
    await act(async () => void fireEvent.keyDown(field(), { key: 'Escape' }));
    expect(main.asked).toContainEqual({ channel: 'messages.stop', request: { messageId: answer.id } });
    expect(screen.getByTestId<HTMLButtonElement>('stop-button').disabled).toBe(true);
    main.end(answer, { state: 'stopped' });
    await settle();
    expect(answers()[0]).toContain('Half an ans');
    expect(answers()[0]).toContain('You stopped this answer.');
    await ask('Next');
    expect(screen.getAllByTestId('message-user')).toHaveLength(2);
  });

  it('that failed says why, and its question can be answered again', async () => {
    const main = new FakeMain();
    const { settle } = await openWindow(main);
    await ask('Hello');
    const answer = main.answer('chat-1');
    main.stream(answer, 'Some text');
    main.end(answer, {
      state: 'failed',
      error: { kind: 'engine-crashed', message: 'The engine ended.', action: 'Ask again.' },
    });
    await settle();
    expect(answers()[0]).toContain('Some text');
    expect(screen.getByTestId('error-notice').textContent).toBe('The engine ended.Ask again.');
    await click(screen.getByRole('button', { name: 'Answer again' }));
    expect(questions()).toEqual(['Hello']);
    expect(screen.getByTestId('prefill-progress')).toBeDefined();
    expect(screen.queryByTestId('error-notice')).toBeNull();
  });

  it('says what was left out of the prompt', async () => {
    const main = twoChats();
    main.messages.two = [
      makeMessage('q2', 'two', 'user', 'Old question'),
      makeMessage('a2', 'two', 'assistant', 'Old answer', { omitted: 4 }),
    ];
    await openWindow(main);
    await click(chatNamed('Two'));
    expect(answers()[0]).toContain('its first 4 messages were left out');
  });

  it('never fetches a picture or runs HTML that a model wrote', async () => {
    const main = twoChats();
    main.messages.two = [
      makeMessage('q2', 'two', 'user', 'x'),
      makeMessage('a2', 'two', 'assistant', '![cat](https://example.com/c.png) <img src=x> [l](javascript:alert(1))'),
    ];
    await openWindow(main);
    await click(chatNamed('Two'));
    const shown = screen.getByTestId('message-assistant');
    expect(shown.querySelector('img')).toBeNull();
    expect(shown.textContent).toContain('[image: cat]');
    expect(shown.querySelector('a')?.getAttribute('href') ?? '').not.toContain('javascript');
  });

  it('is copied as it was written, code without its marks', async () => {
    const main = twoChats();
    const text = 'Run:\n\n```sh\nnpm start\n```';
    main.messages.two = [makeMessage('q2', 'two', 'user', 'x'), makeMessage('a2', 'two', 'assistant', text)];
    await openWindow(main);
    await click(chatNamed('Two'));
    await click(screen.getByRole('button', { name: 'Copy code' }));
    expect(main.clipboard).toBe('npm start');
    await click(screen.getByRole('button', { name: 'Copy answer' }));
    expect(main.clipboard).toBe(text);
  });
});

describe('a question that main refuses', () => {
  it('comes back into the field with the reason', async () => {
    const main = twoChats();
    main.handlers['messages.send'] = () => {
      throw new AppError('disk-full', 'The disk is full.', { action: 'Make room.' });
    };
    await openWindow(main);
    await click(chatNamed('One'));
    await ask('Hello');
    expect(field().value).toBe('Hello');
    expect(screen.getByTestId('error-notice').textContent).toContain('The disk is full.');
  });
});

describe('drafts', () => {
  it('belong to their chat', async () => {
    const main = twoChats();
    await openWindow(main);
    await click(chatNamed('One'));
    fireEvent.change(field(), { target: { value: 'for one' } });
    await click(chatNamed('Two'));
    expect(field().value).toBe('');
    await click(chatNamed('One'));
    expect(field().value).toBe('for one');
  });
});

describe('the list of chats', () => {
  const entry = async (title: string, name: string) => {
    await click(screen.getByRole('button', { name: `More about “${title}”` }));
    await click(screen.getByRole('menuitem', { name }));
  };

  it('deletes a chat and brings it back, at once or from those recently deleted', async () => {
    const main = twoChats();
    await openWindow(main);
    await entry('One', 'Delete');
    expect(screen.getAllByTestId('chat-list-item')).toHaveLength(1);
    expect(main.chats.map(({ id }) => id)).toEqual(['two']);
    await click(screen.getByRole('button', { name: 'Undo' }));
    expect(screen.getAllByTestId('chat-list-item')).toHaveLength(2);
    await entry('One', 'Delete');
    await click(screen.getByRole('button', { name: 'More about chats' }));
    await click(screen.getByRole('menuitem', { name: 'Recently deleted' }));
    await click(screen.getByRole('button', { name: 'Bring back “One”' }));
    expect(main.chats.map(({ id }) => id).sort()).toEqual(['one', 'two']);
  });

  it('pins and files chats; a closed folder hides them', async () => {
    const main = twoChats();
    const { settle } = await openWindow(main);
    const titles = () => [...document.querySelectorAll('.list-row')].map(({ textContent }) => textContent);
    await entry('One', 'Pin');
    expect(titles().slice(0, 2)).toEqual(['Pinned', 'One']);
    await entry('Two', 'Move to a new folder');
    expect(titles()).toEqual(['Pinned', 'One', 'New folder1', 'Two']);
    await click(screen.getByRole('button', { name: /^New folder/ }));
    expect(titles()).toEqual(['Pinned', 'One', 'New folder1']);
    await entry('New folder', 'Delete folder, keep its chats');
    await settle();
    expect(titles()).toContain('Two');
  });

  it('renames in place; Esc and a conversion leave the title alone', async () => {
    const main = twoChats();
    await openWindow(main);
    await entry('One', 'Rename');
    const title = () => screen.getByRole('textbox', { name: 'Chat title' });
    fireEvent.change(title(), { target: { value: 'Neu' } });
    fireEvent.keyDown(title(), { key: 'Enter', isComposing: true });
    expect(main.chats[0]?.title).toBe('One');
    await act(async () => void fireEvent.keyDown(title(), { key: 'Enter' }));
    expect(main.chats[0]?.title).toBe('Neu');
    await entry('Neu', 'Rename');
    fireEvent.change(title(), { target: { value: 'Other' } });
    await act(async () => void fireEvent.keyDown(title(), { key: 'Escape' }));
    expect(main.chats[0]?.title).toBe('Neu');
  });

  it('searches', async () => {
    const main = twoChats();
    const { settle } = await openWindow(main);
    fireEvent.change(screen.getByTestId('search-input'), { target: { value: 'Tw' } });
    await settle();
    await settle();
    await settle();
    expect(screen.getAllByTestId('chat-list-item').map(({ textContent }) => textContent)).toEqual(['Two']);
    await act(async () => void fireEvent.keyDown(screen.getByTestId('search-input'), { key: 'Escape' }));
    expect(screen.getAllByTestId('chat-list-item')).toHaveLength(2);
  });
});

describe('the engine', () => {
  it('tells of a crash and of being ready again in one place', async () => {
    const main = new FakeMain();
    const { settle } = await openWindow(main);
    const ready = main.engine;
    expect(screen.getByTestId('engine-status').dataset.state).toBe('ready');
    const error = { kind: 'engine-crashed' as const, message: 'The engine ended (exit code 139).' };
    main.emit({ type: 'engine-status', status: { state: 'failed', error, final: false } });
    await settle();
    expect(screen.getByTestId('engine-status').textContent).toContain('being started again');
    expect(screen.queryByRole('button', { name: 'Try again' })).toBeNull();
    main.emit({ type: 'engine-status', status: { state: 'failed', error, final: true } });
    await settle();
    expect(screen.getByTestId('engine-status').textContent).toContain('exit code 139');
    main.handlers['models.list'] = () => [
      { id: 'm', name: 'M', architecture: 'llama', weights: ['fast'], bytes: 1, contextTrained: 1, origin: 'folder' },
    ];
    await click(screen.getByRole('button', { name: 'Try again' }));
    expect(main.asked.at(-1)).toEqual({ channel: 'engine.load', request: { modelId: 'm' } });
    main.emit({ type: 'engine-status', status: ready });
    await settle();
    expect(screen.getByTestId('engine-status').dataset.state).toBe('ready');
  });
});

describe('settings', () => {
  it('change the theme at once and take it back when main refuses', async () => {
    const main = new FakeMain();
    await openWindow(main);
    expect(document.documentElement.dataset.theme).toBe('system');
    await click(screen.getByTestId('theme-toggle'));
    expect(document.documentElement.dataset.theme).toBe('dark');
    expect(main.settings.theme).toBe('dark');
    main.handlers['settings.set'] = () => {
      throw new AppError('storage-failed', 'The settings could not be written.');
    };
    await click(screen.getByTestId('theme-toggle'));
    expect(document.documentElement.dataset.theme).toBe('dark');
    expect(screen.getByTestId('error-notice').textContent).toContain('could not be written');
  });

  it('say why a device cannot be used, and lead to the models', async () => {
    const main = new FakeMain();
    main.handlers['engine.devices'] = () => [
      {
        id: 'n',
        name: 'Some NPU',
        type: 'NPU',
        executionProvider: 'EP',
        vendor: 'V',
        flavours: [],
        virtual: false,
        usable: false,
        reason: 'No driver.',
      },
    ];
    await openWindow(main);
    await click(screen.getByRole('button', { name: 'Settings' }));
    expect(screen.getByText(/Some NPU cannot be chosen. No driver\./)).toBeDefined();
    await click(screen.getByRole('button', { name: 'Open Models' }));
    expect(screen.getByRole('heading', { name: 'Models' })).toBeDefined();
  });
});

describe('a start that fails', () => {
  it('says why and can be tried again', async () => {
    const main = twoChats();
    const { 'chats.newest': newest } = main.handlers;
    main.handlers['chats.newest'] = () => {
      throw new AppError('storage-failed', 'The database cannot be read.');
    };
    await openWindow(main);
    expect(screen.getByTestId('error-notice').textContent).toContain('The database cannot be read.');
    main.handlers['chats.newest'] = newest;
    await click(screen.getByRole('button', { name: 'Try again' }));
    expect(screen.getAllByTestId('chat-list-item')).toHaveLength(2);
  });
});
