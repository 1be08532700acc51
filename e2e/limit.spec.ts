/** A conversation that outgrows the real model's context, by way of the bridge: nothing is cut silently, every choice goes on. */
import type { Page } from '@playwright/test';
import type { ContextUse, Message } from '../contract/messages.ts';
import { expect, ready, test } from './app.ts';

const CONTEXT = 512;
const QUESTION = 'Tell me something about rivers, mountains and towns. '.repeat(8);

/** Loads the model with a small context, for short answers. */
async function smallContext(page: Page): Promise<string> {
  return page.evaluate(async (tokens) => {
    const status = await window.shadownpu.invoke('engine.status', undefined);
    const id = status.ok && status.value.state === 'ready' ? status.value.model.id : '';
    const isSmall = new Promise<void>((resolve) => {
      window.shadownpu.onEvent((event) => {
        const { status: now } = event.type === 'engine-status' ? event : { status: undefined };
        if (now?.state === 'ready' && now.model.contextSize === tokens) resolve();
      });
    });
    await window.shadownpu.invoke('settings.set', { contextSizes: { [id]: tokens }, autoTitle: false });
    await isSmall;
    const chat = await window.shadownpu.invoke('chats.create', { folderId: null });
    const chatId = chat.ok ? chat.value.id : '';
    await window.shadownpu.invoke('chats.options', {
      chatId,
      options: { sampling: { maxTokens: 24, temperature: 0 } },
    });
    return chatId;
  }, CONTEXT);
}

/** Asks, or resolves, and waits for the end of that answer. */
function answered(
  page: Page,
  request: { chatId: string; text: string } | { messageId: string; choice: 'condense' | 'drop-oldest' | 'new-chat' },
): Promise<Message> {
  return page.evaluate(async (asked) => {
    const messages: Message[] = [];
    let check = () => {};
    window.shadownpu.onEvent((event) => {
      if (event.type !== 'message') return;
      messages.push(event.message);
      check();
    });
    const begun =
      'text' in asked
        ? await window.shadownpu.invoke('messages.send', asked)
        : await window.shadownpu.invoke('messages.resolve', asked);
    if (!begun.ok) throw new Error(begun.error.message);
    const { id } = begun.value.answer;
    return new Promise<Message>((resolve) => {
      check = () => {
        const last = messages.filter((message) => message.id === id).at(-1);
        if (last && last.state !== 'streaming') resolve(last);
      };
      check();
    });
  }, request);
}

const pathOf = (page: Page, chatId: string) =>
  page.evaluate(async (id) => {
    const path = await window.shadownpu.invoke('messages.list', { chatId: id });
    return path.ok ? path.value : [];
  }, chatId);

const measured = (page: Page, chatId: string, text: string) =>
  page.evaluate(
    async (asked) => {
      const use = await window.shadownpu.invoke('messages.measure', asked);
      return use.ok ? use.value : null;
    },
    { chatId, text },
  );

const total = (use: ContextUse | null) => (use === null ? 0 : use.system + use.history + use.draft + use.attachments);

test('a conversation beyond the context asks, and goes on in each of the three ways', async ({ app }) => {
  test.slow();
  const { window: page } = app;
  await ready(page);
  const chatId = await smallContext(page);
  const first = await answered(page, { chatId, text: QUESTION });
  expect(first).toMatchObject({ state: 'complete' });
  // What was measured before is what was sent, but for a few tokens.
  const before = await measured(page, chatId, QUESTION);
  expect(before?.fits).toBe(true);
  const second = await answered(page, { chatId, text: QUESTION });
  expect(Math.abs(total(before) - (second.result?.promptTokens ?? 0))).toBeLessThanOrEqual(8);

  const tooMuch = await measured(page, chatId, QUESTION.repeat(3));
  expect(tooMuch?.fits).toBe(false);
  const failed = await answered(page, { chatId, text: QUESTION.repeat(3) });
  expect(failed).toMatchObject({
    state: 'failed',
    text: '',
    error: { kind: 'context-overflow' },
    limit: { available: CONTEXT - 24, choices: ['drop-oldest', 'condense', 'new-chat'] },
  });
  expect(Math.abs(total(tooMuch) - (failed.limit?.needed ?? 0))).toBeLessThanOrEqual(8);

  const elsewhere = await answered(page, { messageId: failed.id, choice: 'new-chat' });
  expect(elsewhere).toMatchObject({ state: 'complete' });
  const [opening] = await pathOf(page, elsewhere.chatId);
  expect(opening).toMatchObject({ role: 'assistant', state: 'complete', text: expect.stringMatching(/\S/) });

  const condensed = await answered(page, { messageId: failed.id, choice: 'condense' });
  expect(condensed).toMatchObject({ state: 'complete', text: expect.stringMatching(/\S/) });
  expect(condensed).not.toHaveProperty('omitted');
  const noted = (await pathOf(page, chatId)).filter(({ note }) => note !== undefined);
  expect(noted).toHaveLength(1);
  expect(noted[0]?.note).toMatch(/\S/);

  const again = await answered(page, { chatId, text: QUESTION.repeat(2) });
  expect(again.limit?.choices).toContain('drop-oldest');
  const dropped = await answered(page, { messageId: again.id, choice: 'drop-oldest' });
  expect(dropped).toMatchObject({ state: 'complete', omitted: expect.any(Number) });
  // Nothing is lost on disk.
  expect(await pathOf(page, chatId)).toHaveLength(8);

  const alone = await answered(page, { chatId, text: QUESTION.repeat(8) });
  expect(alone.limit).toMatchObject({ choices: [] });
});
