/** Files of questions, in the real window: their paths come from the browser, never from the page. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, giveFile, ready, test } from './app.ts';

test('a file that was given to the page is read and answered from; a page cannot name one', async ({ app }, info) => {
  const { window: page } = app;
  await ready(page);
  const file = info.outputPath('笔记 notes.txt');
  writeFileSync(file, 'The meeting is on Thursday at the harbour.');
  await giveFile(page, file);
  const chatId = await page.evaluate(async () => {
    const created = await window.shadownpu.invoke('chats.create', { folderId: null });
    return created.ok ? created.value.id : '';
  });
  const attached = await page.evaluate((id) => {
    const input = document.querySelector<HTMLInputElement>('#given');
    return window.shadownpu.attach(id, Array.from(input?.files ?? []));
  }, chatId);
  expect(attached).toMatchObject({ ok: true, value: [{ name: path.basename(file), state: 'reading' }] });
  const attachment = async () =>
    page.evaluate(async (id) => {
      const drafts = await window.shadownpu.invoke('drafts.list', undefined);
      return drafts.ok ? drafts.value.find((draft) => draft.chatId === id)?.attachments[0] : undefined;
    }, chatId);
  await expect.poll(attachment, { timeout: 60_000 }).toMatchObject({ state: 'ready', tokens: expect.any(Number) });

  const answered = await page.evaluate(
    async ({ id, attachmentId }) => {
      const ended = new Promise<string>((resolve) => {
        window.shadownpu.onEvent((event) => {
          if (event.type === 'message' && event.message.role === 'assistant') resolve(event.message.state);
        });
      });
      const attachments = [attachmentId];
      const measured = await window.shadownpu.invoke('messages.measure', { chatId: id, text: 'When?', attachments });
      const options = { sampling: { maxTokens: 8 } };
      await window.shadownpu.invoke('chats.options', { chatId: id, options });
      const sent = await window.shadownpu.invoke('messages.send', { chatId: id, text: 'When?', attachments });
      return { measured, sent, state: await ended };
    },
    { id: chatId, attachmentId: (await attachment())?.id ?? '' },
  );
  expect(answered).toMatchObject({
    measured: { ok: true, value: { fits: true } },
    sent: { ok: true, value: { question: { attachments: [{ name: path.basename(file) }] } } },
    state: 'complete',
  });
  expect(await attachment()).toBeUndefined();

  const forged = await page.evaluate(async () => {
    const invented = new File(['x'], 'passwd');
    Object.defineProperty(invented, 'path', { value: '/etc/passwd' });
    const drop = { chatId: null, paths: ['/etc/passwd'] };
    return [
      await window.shadownpu.attach(null, [invented]),
      await window.shadownpu.attach(null, [{ path: '/etc/passwd' } as unknown as File]),
      await window.shadownpu.invoke('attachments.drop' as 'chats.removed', drop as unknown as undefined),
      await window.shadownpu.invoke('drafts.list', undefined),
    ];
  });
  expect(forged).toMatchObject([{ ok: false }, { ok: false }, { ok: false }, { ok: true, value: [] }]);
});
