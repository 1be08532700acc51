/** What a user can make the window do. Each command talks to main and reports failures as a notice; none rejects. */
import { AppError } from '../../../contract/errors.ts';
import type { Api } from '../bridge.ts';
import { createChatCommands } from './commands/chats.ts';
import { createCompareCommands } from './commands/compare.ts';
import { createDocumentCommands } from './commands/documents.ts';
import { createDraftCommands } from './commands/drafts.ts';
import { createEngineCommands } from './commands/engine.ts';
import { createMessageCommands } from './commands/messages.ts';
import { createModelCommands } from './commands/models.ts';
import { createOptionCommands } from './commands/options.ts';
import { createResourceCommands } from './commands/resources.ts';
import { createTalk } from './commands/talk.ts';
import { createWindowCommands } from './commands/window.ts';
import type { Store } from './store.ts';

export type Commands = ReturnType<typeof createCommands>;

export function createCommands(store: Store, api: Api) {
  const talk = createTalk(store, api);
  const drafts = createDraftCommands(talk);
  const messages = createMessageCommands(talk, drafts);
  const models = createModelCommands(talk);
  const chats = createChatCommands(talk);

  async function start(activeChatId: string | null): Promise<void> {
    try {
      const [newest, folders, drafts, presets, settings, engine, calibration] = await Promise.all([
        api.ask('chats.newest', { withId: activeChatId }),
        api.ask('folders.list', undefined),
        api.ask('drafts.list', undefined),
        api.ask('presets.list', undefined),
        api.ask('settings.get', undefined),
        api.ask('engine.status', undefined),
        api.ask('calibration.status', undefined),
      ]);
      store.dispatch({ type: 'started', chats: newest, folders, drafts, presets, settings, engine });
      store.dispatch({ type: 'events', events: [{ type: 'calibration', status: calibration }] });
    } catch (error) {
      store.dispatch({ type: 'start-failed', error: AppError.from(error).toInfo() });
      return;
    }
    void sayNotice();
    void models.readModels();
    void models.readModelJobs();
    const isThere = activeChatId !== null && store.get().chats.some((chat) => chat.id === activeChatId);
    if (isThere && store.get().settings?.startWith !== 'new-chat') {
      const { view } = store.get();
      const opening = messages.openChat(activeChatId);
      // What the app was started with is shown, the chat is there behind it.
      store.dispatch({ type: 'view', view });
      await opening;
    }
    await chats.readChats();
  }

  /** What went wrong at the start stays until it is dismissed. */
  async function sayNotice(): Promise<void> {
    const error = await talk.guarded(() => api.ask('app.start-notice', undefined));
    if (error != null) talk.notify({ error });
  }

  return {
    start,
    report: talk.report,
    ...drafts,
    ...messages,
    ...createOptionCommands(talk),
    ...chats,
    ...createDocumentCommands(talk),
    ...createCompareCommands(talk),
    ...createEngineCommands(talk),
    ...models,
    ...createWindowCommands(talk),
    ...createResourceCommands(talk),
  };
}
