/** Chats: their answers, drafts, presets and history. */
import { choosePaths, saveAs } from '../app/file-dialogs.ts';
import { Answerer } from '../chat/answerer.ts';
import { ChatService } from '../chat/chat-service.ts';
import { ContextMeter } from '../chat/context-meter.ts';
import { Drafts } from '../chat/drafts.ts';
import { Presets } from '../chat/presets.ts';
import type { DocumentReader } from '../documents/reader.ts';
import { ChatFiles } from '../history/chat-files.ts';
import { ChatHistory } from '../history/chat-history.ts';
import { chatHandlers } from '../ipc/chats.ts';
import { draftHandlers } from '../ipc/drafts.ts';
import { broadcast } from '../ipc/electron.ts';
import { messageHandlers } from '../ipc/messages.ts';
import { presetHandlers } from '../ipc/presets.ts';
import type { Base } from './base.ts';
import type { EngineParts } from './engine-parts.ts';

export function chatParts(
  { storage, queue, log, words }: Base,
  { engine, keeper, monitor, emit }: EngineParts,
  reader: DocumentReader,
) {
  const presets = new Presets(storage.presets, emit);
  const energyFromNow = () => monitor.energyFromNow();
  const answerer = new Answerer({ engine, keeper, storage, presets, emit, energyFromNow, log });
  const chats = new ChatService({ engine, answerer, storage, queue, emit, log });
  const meter = new ContextMeter({ engine, keeper, storage, answerer });
  const drafts = new Drafts({
    storage,
    reader,
    chooseFiles: () =>
      choosePaths({ title: words().dialogs.chooseAttachments, properties: ['openFile', 'multiSelections'] }),
    tokensOf: (attachment) => meter.attachmentTokens(attachment),
    emit,
    log,
  });
  const history = new ChatHistory({ storage, emit: broadcast, stopAnswers: (chatIds) => chats.stopIn(chatIds) });
  const swept = history.sweep();
  if (swept > 0) log(`${swept} chats that were deleted long ago are gone`);
  const files = new ChatFiles({
    storage,
    emit: broadcast,
    chooseTarget: saveAs,
    chooseSources: () =>
      choosePaths({ filters: [{ name: 'JSON', extensions: ['json'] }], properties: ['openFile', 'multiSelections'] }),
  });
  return {
    drafts,
    handlers: {
      ...chatHandlers(history, files, storage),
      ...messageHandlers(chats, meter, storage),
      ...draftHandlers(drafts),
      ...presetHandlers(presets),
    },
    stop() {
      chats.shutDown();
      drafts.shutDown();
    },
  };
}
