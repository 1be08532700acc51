import { describe, expect, it } from 'vitest';
import type { AppEvent } from '../../../contract/channels.ts';
import type { Attachment } from '../../../contract/drafts.ts';
import type { Message } from '../../../contract/messages.ts';
import { deltaEvent, FakeMain, makeChat, makeMessage } from '../testing/fake-main.ts';
import { type Action, reduce } from './reducer.ts';
import { type AppState, initialState, streamingMessage } from './state.ts';

const question = makeMessage('q', 'c', 'user', 'Hello', { parentId: null });
const answer = makeMessage('a', 'c', 'assistant', '', { state: 'streaming', parentId: 'q' });

function run(state: AppState, ...actions: Action[]): AppState {
  return actions.reduce(reduce, state);
}

function events(...list: AppEvent[]): Action {
  return { type: 'events', events: list };
}

const delta = (offset: number, text: string) => deltaEvent(answer, offset, text);

function streaming(): AppState {
  return run(
    initialState,
    { type: 'messages', chatId: 'c', messages: [] },
    { type: 'path-end', chatId: 'c', messages: [question, answer] },
  );
}

function textOf(state: AppState): string | undefined {
  return state.conversations.c?.messages.find(({ id }) => id === 'a')?.text;
}

describe('deltas', () => {
  it('are appended in order', () => {
    const state = run(streaming(), events(delta(0, 'Hi '), delta(3, 'there')));
    expect(textOf(state)).toBe('Hi there');
    expect(state.conversations.c?.stale).toBe(false);
    expect(state.activities.a?.tokensPerSecond).toBe(40);
  });

  it('that were seen already change nothing, and an overlap is added once', () => {
    const state = run(streaming(), events(delta(0, 'Hi there')));
    expect(textOf(run(state, events(delta(3, 'the'))))).toBe('Hi there');
    expect(textOf(run(state, events(delta(3, 'there you'))))).toBe('Hi there you');
    expect(run(state, events(delta(3, 'the'))).conversations.c?.stale).toBe(false);
  });

  it('that leave a gap ask for the stored text and change nothing', () => {
    const state = run(streaming(), events(delta(0, 'Hi '), delta(9, 'late')));
    expect(textOf(state)).toBe('Hi ');
    expect(state.conversations.c?.stale).toBe(true);
  });

  it('that contradict the text ask for the stored text', () => {
    expect(run(streaming(), events(delta(0, 'Hi '), delta(0, 'Ho'))).conversations.c?.stale).toBe(true);
  });

  it('of a message that is not known ask for the stored text', () => {
    const state = run(initialState, { type: 'messages', chatId: 'c', messages: [] }, events(delta(0, 'x')));
    expect(state.conversations.c?.stale).toBe(true);
  });

  it('of a chat that is not open are left alone: opening it reads all', () => {
    expect(run(initialState, events(delta(0, 'x'))).conversations.c?.messages ?? []).toEqual([]);
  });

  it('after the end are ignored', () => {
    const ended = run(streaming(), events({ type: 'message', message: { ...answer, text: 'Done', state: 'stopped' } }));
    const state = run(ended, events(delta(4, ' more')));
    expect(textOf(state)).toBe('Done');
    expect(state.conversations.c?.stale).toBe(false);
  });

  it('count the text as JavaScript does, also beyond the BMP', () => {
    expect(textOf(run(streaming(), events(delta(0, '🙂'), delta(2, '你'), delta(3, '!'))))).toBe('🙂你!');
  });
});

describe('reading the messages again', () => {
  it('heals a gap', () => {
    const stale = run(streaming(), events(delta(9, 'late')));
    const state = run(stale, {
      type: 'messages',
      chatId: 'c',
      messages: [question, { ...answer, text: 'All of the late' }],
    });
    expect(textOf(state)).toBe('All of the late');
    expect(state.conversations.c?.stale).toBe(false);
  });

  it('keeps text that arrived after main had answered', () => {
    const state = run(streaming(), events(delta(0, 'Hi there')), {
      type: 'messages',
      chatId: 'c',
      messages: [question, { ...answer, text: 'Hi' }],
    });
    expect(textOf(state)).toBe('Hi there');
  });

  it('does not bring an ended answer back to life', () => {
    const state = run(
      streaming(),
      events({ type: 'message', message: { ...answer, text: 'Done', state: 'complete' } }),
      { type: 'messages', chatId: 'c', messages: [question, { ...answer, text: 'Do' }] },
    );
    expect(textOf(state)).toBe('Done');
    expect(streamingMessage(state, 'c')).toBeUndefined();
  });
});

describe('the end of the path', () => {
  const ids = (state: AppState) => state.conversations.c?.messages.map(({ id }) => id);
  const end = (...messages: Message[]): Action => ({ type: 'path-end', chatId: 'c', messages });
  const q2 = makeMessage('q2', 'c', 'user', 'More', { parentId: 'a' });
  const a2 = makeMessage('a2', 'c', 'assistant', '', { state: 'streaming', parentId: 'q2' });

  it('is added, and takes the place of what followed its parent', () => {
    const state = run(streaming(), end(q2, a2));
    expect(ids(state)).toEqual(['q', 'a', 'q2', 'a2']);
    expect(ids(run(state, end({ ...a2, id: 'a3' })))).toEqual(['q', 'a', 'q2', 'a3']);
    expect(ids(run(state, end({ ...question, id: 'other' }, { ...answer, id: 'b', parentId: 'other' })))).toEqual([
      'other',
      'b',
    ]);
  });

  it('asks for the stored path where its parent is not known', () => {
    const state = run(streaming(), end({ ...a2, parentId: 'elsewhere' }));
    expect(ids(state)).toEqual(['q', 'a']);
    expect(state.conversations.c?.stale).toBe(true);
  });

  it('keeps text that events have brought by then', () => {
    expect(textOf(run(streaming(), events(delta(0, 'Hi there')), end({ ...answer, text: 'Hi' })))).toBe('Hi there');
  });

  it('that events overtook is read again', () => {
    const state = run(
      initialState,
      { type: 'messages', chatId: 'c', messages: [] },
      events({ type: 'message', message: { ...answer, text: 'Done', state: 'complete' } }),
      end(question, answer),
    );
    expect(ids(state)).toEqual(['q', 'a']);
    expect(state.conversations.c?.stale).toBe(true);
  });
});

describe('branches', () => {
  it('that another window chose are read, but not those that this window is asking for', () => {
    const chosen = events({ type: 'branch', chatId: 'c', leafId: 'x' });
    expect(run(streaming(), chosen).conversations.c?.stale).toBe(true);
    expect(run(streaming(), events({ type: 'branch', chatId: 'c', leafId: 'a' })).conversations.c?.stale).toBe(false);
    const asking = run(streaming(), { type: 'sending', key: 'c', on: true });
    expect(run(asking, chosen).conversations.c?.stale).toBe(false);
  });

  it('out of sight are read for once, not for every word', () => {
    const elsewhere = deltaEvent({ id: 'far', chatId: 'c' }, 0, 'x');
    const asked = run(streaming(), events(elsewhere));
    expect(asked.conversations.c?.stale).toBe(true);
    const read = run(asked, { type: 'messages', chatId: 'c', messages: [question, answer] });
    expect(run(read, events(elsewhere)).conversations.c?.stale).toBe(false);
    expect(run(read, events({ type: 'message', message: { ...answer, id: 'far' } })).conversations.c?.messages).toEqual(
      [question, answer],
    );
  });
});

describe('the end of an answer', () => {
  it('replaces the text, whatever was streamed, and forgets the progress', () => {
    const state = run(
      streaming(),
      events(
        { type: 'prefill', chatId: 'c', messageId: 'a', purpose: 'answer', done: 5, total: 10, tokensPerSecond: 100 },
        delta(0, 'Hi'),
        { type: 'message', message: { ...answer, text: 'Hi there', state: 'complete' } },
      ),
    );
    expect(textOf(state)).toBe('Hi there');
    expect(state.activities.a).toBeUndefined();
  });

  it('in one chat leaves another chat alone', () => {
    const other = makeMessage('b', 'd', 'assistant', 'keep', { state: 'streaming' });
    const before = run(streaming(), { type: 'messages', chatId: 'd', messages: [other] });
    const state = run(before, events(delta(0, 'Hi'), { type: 'message', message: { ...answer, state: 'failed' } }));
    expect(state.conversations.d).toBe(before.conversations.d);
  });
});

describe('prefill', () => {
  it('is kept per answer', () => {
    const state = run(
      streaming(),
      events({
        type: 'prefill',
        chatId: 'c',
        messageId: 'a',
        purpose: 'answer',
        done: 128,
        total: 512,
        tokensPerSecond: 812,
      }),
    );
    expect(state.activities.a?.prefill).toEqual({ purpose: 'answer', done: 128, total: 512, tokensPerSecond: 812 });
  });
});

describe('chats', () => {
  const older = makeChat('c', 'Older', 1);
  const newer = makeChat('d', 'Newer', 2);
  const started = run(initialState, {
    type: 'started',
    chats: [older, newer],
    folders: [],
    drafts: [],
    presets: [],
    settings: new FakeMain().settings,
    engine: { state: 'starting' },
  });

  it('are newest first, also after a change', () => {
    expect(started.chats.map(({ id }) => id)).toEqual(['d', 'c']);
    const state = run(started, events({ type: 'chat', chat: { ...older, title: 'Renamed', updatedAt: 3 } }));
    expect(state.chats.map(({ title }) => title)).toEqual(['Renamed', 'Newer']);
  });

  it('that are gone take their messages and draft along', () => {
    const state = run(
      started,
      { type: 'opened', chatId: 'c' },
      { type: 'draft', key: 'c', text: 'x' },
      { type: 'messages', chatId: 'c', messages: [question] },
      { type: 'chats-gone', chatIds: ['c'] },
    );
    expect(state.activeChatId).toBeNull();
    expect(state.conversations.c).toBeUndefined();
    expect(state.drafts.c).toBeUndefined();
  });

  it('show the answer to the newest search only', () => {
    const state = run(
      started,
      { type: 'search-query', query: 'ol' },
      { type: 'search-query', query: 'old' },
      { type: 'search-results', query: 'ol', hits: [{ chatId: 'd' }], more: false },
    );
    expect(state.search.hits).toBeNull();
    const found = run(state, { type: 'search-results', query: 'old', hits: [{ chatId: 'c' }], more: true });
    expect(found.search).toEqual({ query: 'old', hits: [{ chatId: 'c' }], more: true });
    expect(run(found, { type: 'search-query', query: ' ' }).search.hits).toBeNull();
  });

  it('come with their drafts', () => {
    const file: Attachment = { id: 'f', name: 'a.txt', bytes: 5, state: 'ready', tokens: 3 };
    const state = run(initialState, {
      type: 'started',
      chats: [older],
      folders: [],
      drafts: [
        { chatId: 'c', text: 'y', attachments: [] },
        { chatId: null, text: '', attachments: [file] },
      ],
      presets: [],
      settings: new FakeMain().settings,
      engine: { state: 'starting' },
    });
    expect(state.drafts).toEqual({ c: 'y', new: '' });
    expect(state.attachments).toEqual({ c: [], new: [file] });
  });
});
