/** Main's side of the bridge for tests: chats in memory, answers that the test itself feeds as events. */
import type { Bridge } from '../../../contract/bridge.ts';
import type { AppEvent, Channel, ChannelRequest, ChannelResponse, Envelope } from '../../../contract/channels.ts';
import type { Chat, Folder } from '../../../contract/chats.ts';
import { type Comparison, type Curve, comparisonEntry, type KeptComparison } from '../../../contract/compare.ts';
import type { DocumentPage } from '../../../contract/documents.ts';
import type { Attachment, Draft } from '../../../contract/drafts.ts';
import type { ModelInfo, TracedAnswer } from '../../../contract/engine.ts';
import { AppError } from '../../../contract/errors.ts';
import type { LibraryDocument, OcrData } from '../../../contract/library-documents.ts';
import type { Message } from '../../../contract/messages.ts';
import type { CalibrationStatus, EngineStatus } from '../../../contract/model-status.ts';
import type { OfferedModel } from '../../../contract/models.ts';
import type { Preset } from '../../../contract/presets.ts';
import type { Sample } from '../../../contract/resources.ts';
import type { Settings } from '../../../contract/settings.ts';
import type { Summary, SummaryPlan } from '../../../contract/summaries.ts';
import type { KeptTokens } from '../../../contract/trace.ts';

type Handlers = { [C in Channel]: (request: ChannelRequest<C>) => ChannelResponse<C> | Promise<ChannelResponse<C>> };

export const readyEngine: EngineStatus = {
  state: 'ready',
  model: {
    id: 'm',
    name: 'TestModel',
    weights: 'fast',
    contextSize: 8192,
    device: 'CPU',
    threads: 2,
    parameters: 135e6,
    calibrated: false,
  },
};

export function makeChat(id: string, title: string, updatedAt: number): Chat {
  return { id, title, createdAt: updatedAt, updatedAt, pinned: false };
}

export function makeMessage(
  id: string,
  chatId: string,
  role: Message['role'],
  text: string,
  more: Partial<Message> = {},
): Message {
  return {
    id,
    chatId,
    parentId: role === 'user' ? null : 'question',
    role,
    text,
    state: 'complete',
    createdAt: 0,
    ...more,
  };
}

export class FakeMain {
  chats: Chat[] = [];
  removed: Chat[] = [];
  folders: Folder[] = [];
  /** The shown path of each chat. */
  messages: Record<string, Message[]> = {};
  /** By chat id; `new` is the chat that does not exist yet. */
  drafts: Record<string, Draft> = {};
  presets: Preset[] = [];
  documents: LibraryDocument[] = [];
  pages: DocumentPage[] = [];
  ocr: OcrData[] = [
    { language: 'eng', bytes: 3_000_000, state: 'absent' },
    { language: 'chi_sim', bytes: 1_700_000, state: 'absent' },
  ];
  plan: SummaryPlan = {
    strategy: 'whole',
    sections: [{ title: '', pages: [1, 2], tokens: 500 }],
    rounds: 0,
    documentTokens: 500,
    contextSize: 8192,
    seconds: 30,
    measured: true,
    pagesWithoutText: [],
  };
  settings: Settings = {
    theme: 'system',
    language: 'system',
    startWith: 'last-chat',
    closeToTray: false,
    welcomed: true,
    attention: { mode: 'shadow', ratio: 0.2 },
    weights: 'fast',
    contextSizes: {},
    systemPrompt: '',
    temperature: 0.7,
    atLimit: 'ask',
    autoTitle: true,
    keptReadingGigabytes: 2,
    placement: { linear: 'auto', pilot: 'auto', decode: 'auto', avoidGpu: false, saveBattery: false },
  };
  engine: EngineStatus = readyEngine;
  models: ModelInfo[] = [];
  catalog: OfferedModel[] = [];
  calibration: CalibrationStatus = { state: 'possible', offered: false };
  samples: Sample[] = [];
  comparisons: KeptComparison[] = [];
  traced: TracedAnswer | undefined;
  keptTokens: KeptTokens | undefined;
  clipboard = '';
  keptBytes = 0;
  /** Every request, in order. */
  readonly asked: { channel: Channel; request: unknown }[] = [];
  readonly #listeners = new Set<(event: AppEvent) => void>();
  #ids = 0;

  /** What answers each channel; a test may put another function in. */
  readonly handlers: Handlers = {
    'chats.newest': () => this.chats.slice(0, 300),
    'chats.page': ({ after }) =>
      [...this.chats].sort((a, b) => (a.id < b.id ? -1 : 1)).filter(({ id }) => after === null || id > after),
    'chats.create': () => {
      const chat = makeChat(this.#id('chat'), 'New chat', Date.now());
      this.chats.push(chat);
      return chat;
    },
    'chats.options': ({ chatId, options }) => this.#changeChat(chatId, { options }),
    'chats.change': ({ chatId, title, pinned, folderId }) => {
      const chat = this.#changeChat(chatId, {
        ...(title === undefined ? {} : { title }),
        ...(pinned === undefined ? {} : { pinned }),
        ...(folderId == null ? {} : { folderId }),
      });
      if (folderId === null) delete chat.folderId;
      return chat;
    },
    'chats.remove': ({ chatIds }) => {
      this.removed = this.chats.filter((chat) => chatIds.includes(chat.id));
      this.chats = this.chats.filter((chat) => !chatIds.includes(chat.id));
      return undefined;
    },
    'chats.restore': ({ chatIds }) => {
      for (const chat of this.removed.filter(({ id }) => chatIds.includes(id))) {
        this.chats.push(chat);
        this.emit({ type: 'chat', chat });
      }
      return undefined;
    },
    'chats.removed': () => this.removed,
    'chats.erase': () => undefined,
    'chats.export': () => null,
    'chats.import': () => null,
    'folders.list': () => this.folders,
    'folders.create': ({ name }) => {
      const folder = { id: this.#id('folder'), name };
      this.#setFolders([...this.folders, folder]);
      return folder;
    },
    'folders.rename': ({ folderId, name }) => {
      this.#setFolders(this.folders.map((folder) => (folder.id === folderId ? { id: folderId, name } : folder)));
      return { id: folderId, name };
    },
    'folders.remove': ({ folderId }) => {
      this.#setFolders(this.folders.filter(({ id }) => id !== folderId));
      return undefined;
    },
    'chats.search': ({ query }) => ({
      hits: this.chats.filter((chat) => chat.title.includes(query)).map(({ id }) => ({ chatId: id })),
      more: false,
    }),
    'messages.list': ({ chatId }) => this.messages[chatId] ?? [],
    'messages.send': ({ chatId, text, after }) => {
      const all = this.messages[chatId] ?? [];
      const path = after === undefined ? all : all.slice(0, all.findIndex(({ id }) => id === after) + 1);
      const question = makeMessage(this.#id('question'), chatId, 'user', text, { parentId: path.at(-1)?.id ?? null });
      const answer = this.#answerTo(question);
      this.messages[chatId] = [...path, question, answer];
      return { question, answer };
    },
    'messages.regenerate': ({ messageId }) => {
      const { path, at, message } = this.#find(messageId);
      const question = path[at - 1];
      if (question === undefined) throw new AppError('bad-input', 'There is no question.');
      const answer = { ...this.#answerTo(question), siblings: [...(message.siblings ?? [messageId])] };
      answer.siblings.push(answer.id);
      this.messages[message.chatId] = [...path.slice(0, at), answer];
      return { answer };
    },
    'messages.continue': ({ messageId }) => ({ answer: this.#goOn(messageId) }),
    'messages.select': ({ messageId }) => this.#find(messageId).path,
    'messages.resolve': ({ messageId }) => {
      const answer = this.#goOn(messageId);
      return { chatId: answer.chatId, answer };
    },
    'messages.measure': () => null,
    'messages.stop': () => undefined,
    'drafts.list': () => Object.values(this.drafts),
    'drafts.set': ({ chatId, text }) => {
      this.drafts[chatId ?? 'new'] = { ...this.#draft(chatId), text };
      return undefined;
    },
    'documents.list': () => this.documents,
    'documents.add': () => [],
    'documents.drop': ({ paths }) => paths.map((path) => this.#addDocument(path)),
    'documents.paste': ({ text }) => this.#addDocument(text.slice(0, 40)),
    'documents.read': () => undefined,
    'documents.stop': () => undefined,
    'documents.remove': ({ documentId }) => {
      this.documents = this.documents.filter(({ id }) => id !== documentId);
      this.emit({ type: 'document-removed', documentId });
      return undefined;
    },
    'ocr.list': () => this.ocr,
    'ocr.fetch': () => undefined,
    'ocr.stop': () => undefined,
    'documents.pages': () => ({ headings: [], pages: this.pages }),
    'summaries.plan': () => this.plan,
    'summaries.start': ({ documentId, options }) => {
      const summary: Summary = {
        id: this.#id('summary'),
        documentId,
        documentName: 'Test',
        options,
        plan: this.plan,
        state: 'running',
        sections: this.plan.sections.map((section) => ({ ...section, state: 'waiting', text: '', points: [] })),
        text: '',
        points: [],
        coverage: { tokensRead: 0, tokensTotal: this.plan.documentTokens, pagesWithoutText: [], failedSections: [] },
        model: 'TestModel',
        prompts: 1,
        createdAt: Date.now(),
        seconds: 0,
      };
      this.emit({ type: 'summary', summary });
      return summary;
    },
    'summaries.stop': () => undefined,
    'summaries.resume': () => undefined,
    'summaries.redo': () => undefined,
    'summaries.list': () => [],
    'summaries.remove': () => undefined,
    'summaries.export': () => null,
    'summaries.to-chat': () => ({ chatId: this.#id('chat') }),
    'documents.ask': ({ documentIds, question }) => ({
      id: this.#id('answer'),
      documentIds,
      question,
      text: '',
      points: [],
      state: 'waiting',
      read: { sections: 0, of: 0 },
      prompts: 1,
      createdAt: Date.now(),
    }),
    'documents.stop-answer': () => undefined,
    'documents.answers': () => [],
    'documents.kept': () => ({ bytes: this.keptBytes }),
    'documents.clear-kept': () => {
      this.keptBytes = 0;
    },
    'attachments.add': ({ chatId }) => this.#draft(chatId).attachments,
    'attachments.drop': ({ chatId }) => this.#draft(chatId).attachments,
    'attachments.retry': () => undefined,
    'attachments.remove': ({ attachmentId }) => {
      for (const draft of Object.values(this.drafts)) {
        draft.attachments = draft.attachments.filter(({ id }) => id !== attachmentId);
      }
      return undefined;
    },
    'presets.list': () => this.presets,
    'presets.save': ({ presetId, ...rest }) => {
      const preset: Preset = { ...rest, id: presetId ?? this.#id('preset'), builtIn: false };
      this.presets = [...this.presets.filter(({ id }) => id !== preset.id), preset];
      this.emit({ type: 'presets', presets: this.presets });
      return preset;
    },
    'presets.remove': ({ presetId }) => {
      this.presets = this.presets.filter(({ id }) => id !== presetId);
      this.emit({ type: 'presets', presets: this.presets });
      return undefined;
    },
    'models.list': () => this.models,
    'models.jobs': () => [],
    'models.import': () => null,
    'models.drop': () => {
      throw new AppError('bad-input', 'This is no model.');
    },
    'models.verify': () => 'checksum',
    'models.cancel': () => undefined,
    'models.remove': () => undefined,
    'models.unload': () => undefined,
    'models.fit': () => null,
    'models.catalog': () => this.catalog,
    'models.download': ({ entryId }) => ({ entryId, state: 'queued', received: 0, total: 1, bytesPerSecond: 0 }),
    'models.pause': () => undefined,
    'models.cancel-download': () => undefined,
    'engine.status': () => this.engine,
    'engine.devices': () => [],
    'devices.test': () => [],
    'devices.stop': () => undefined,
    'devices.choose-folder': () => [],
    'devices.forget-folder': () => [],
    'engine.load': () => undefined,
    'calibration.status': () => this.calibration,
    'calibration.start': () => undefined,
    'calibration.stop': () => undefined,
    'settings.get': () => this.settings,
    'settings.set': (change) => {
      this.settings = { ...this.settings, ...(change as Partial<Settings>) };
      return this.settings;
    },
    'app.new-window': () => undefined,
    'app.zoom': () => 100,
    'app.diagnostics': () => 'ShadowNPU 0',
    'app.attach-sample': () => undefined,
    'app.start-notice': () => null,
    'app.open-logs': () => undefined,
    'crashes.list': () => [],
    'crashes.remove': () => undefined,
    'crashes.report': () => undefined,
    'resources.history': () => this.samples,
    'resources.watch': () => undefined,
    'pipeline.trace': () => this.traced,
    'pipeline.cost-tables': () => [],
    'pipeline.what-if': () => undefined,
    'pipeline.replay': () => undefined,
    'pipeline.stop-replay': () => undefined,
    'pipeline.kept-tokens': () => this.keptTokens,
    'compare.plan': () => ({ promptTokens: 1200 }),
    'compare.start': ({ source, maxTokens, variants }) => {
      const comparison: Comparison = {
        kind: 'answers',
        ...this.#comparisonHeading(),
        question: source.kind === 'text' ? source.text : source.question,
        promptTokens: 1200,
        maxTokens,
        rows: variants.map((variant) => ({ variant, state: 'waiting', text: '' })),
      };
      this.#putComparison(comparison);
      return comparison;
    },
    'compare.plan-curve': () => ({ lengths: [512, 1024], seconds: 90, measured: false }),
    'compare.start-curve': () => {
      const curve: Curve = {
        kind: 'curve',
        ...this.#comparisonHeading(),
        lengths: [512, 1024],
        ratio: 0.07,
        points: [],
      };
      this.#putComparison(curve);
      return curve;
    },
    'compare.stop': () => undefined,
    'compare.list': () => this.comparisons.map(comparisonEntry),
    'compare.get': ({ comparisonId }) => {
      const found = this.comparisons.find(({ id }) => id === comparisonId);
      if (found === undefined) throw new AppError('bad-input', 'There is no such comparison.');
      return found;
    },
    'compare.remove': ({ comparisonId }) => {
      this.comparisons = this.comparisons.filter(({ id }) => id !== comparisonId);
      this.emit({ type: 'comparison-removed', comparisonId });
      return undefined;
    },
    'compare.export': () => null,
    'clipboard.write': ({ text }) => {
      this.clipboard = text;
      return undefined;
    },
  };

  readonly bridge: Bridge = {
    invoke: (channel, request) => this.#answer(channel, request),
    attach: async (chatId, files) => {
      const attachments = Array.from(files, ({ name, size }): Attachment => {
        return { id: this.#id('attachment'), name, bytes: size, state: 'ready', tokens: 10 };
      });
      const draft = this.#draft(chatId);
      this.drafts[chatId ?? 'new'] = { ...draft, attachments: [...draft.attachments, ...attachments] };
      return { ok: true as const, value: structuredClone(this.#draft(chatId).attachments) };
    },
    addDocuments: (files) => this.#answer('documents.drop', { paths: Array.from(files, ({ name }) => name) }),
    importDropped: (file) => this.#answer('models.drop', { path: file.name }),
    onEvent: (listener) => {
      this.#listeners.add(listener);
      return () => this.#listeners.delete(listener);
    },
    platform: {
      os: 'linux',
      arch: 'x64',
      locale: 'en-GB',
      language: 'en',
      versions: { app: '0', electron: '0', chrome: '0', node: '0' },
    },
  };

  emit(event: AppEvent): void {
    for (const listener of this.#listeners) listener(event);
  }

  /** The last answer that was begun in a chat. */
  answer(chatId: string): Message {
    const answer = this.messages[chatId]?.at(-1);
    if (answer === undefined) throw new Error(`Chat ${chatId} has no messages.`);
    return answer;
  }

  /** Adds to the answer and tells the window. */
  stream(answer: Message, delta: string, more: { lost?: boolean } = {}): void {
    const offset = answer.text.length;
    answer.text += delta;
    if (more.lost !== true) this.emit(deltaEvent(answer, offset, delta));
  }

  /** Ends the answer and tells the window. */
  end(answer: Message, change: Partial<Message>): void {
    Object.assign(answer, change);
    this.emit({ type: 'message', message: structuredClone(answer) });
  }

  #draft(chatId: string | null): Draft {
    return this.drafts[chatId ?? 'new'] ?? { chatId, text: '', attachments: [] };
  }

  #find(messageId: string): { path: Message[]; at: number; message: Message } {
    for (const path of Object.values(this.messages)) {
      const at = path.findIndex(({ id }) => id === messageId);
      const message = path[at];
      if (message !== undefined) return { path, at, message };
    }
    throw new AppError('bad-input', 'There is no such message.');
  }

  #answerTo(question: Message): Message {
    const more = { state: 'streaming', parentId: question.id } as const;
    return makeMessage(this.#id('answer'), question.chatId, 'assistant', '', more);
  }

  #goOn(messageId: string): Message {
    const { message } = this.#find(messageId);
    message.state = 'streaming';
    delete message.error;
    delete message.limit;
    return message;
  }

  #setFolders(folders: Folder[]): void {
    this.folders = folders;
    this.emit({ type: 'folders', folders });
  }

  async #answer<C extends Channel>(channel: C, request: ChannelRequest<C>): Promise<Envelope<ChannelResponse<C>>> {
    this.asked.push({ channel, request });
    try {
      return { ok: true, value: structuredClone(await this.handlers[channel](request)) };
    } catch (error) {
      return { ok: false, error: AppError.from(error).toInfo() };
    }
  }

  #addDocument(name: string): LibraryDocument {
    const document: LibraryDocument = {
      id: this.#id('document'),
      name,
      bytes: 1000,
      addedAt: Date.now(),
      state: 'ready',
      format: 'pdf',
      unit: 'page',
      pageCount: 2,
      tokens: 500,
      problems: [],
      pageProblems: [],
    };
    this.documents = [document, ...this.documents];
    this.emit({ type: 'document', document });
    return document;
  }

  #comparisonHeading() {
    const made = { id: this.#id('comparison'), createdAt: Date.now(), state: 'running' as const };
    return { ...made, model: 'TestModel', weights: 'fast' as const, machine: 'Test machine' };
  }

  #putComparison(comparison: KeptComparison): void {
    this.comparisons = [comparison, ...this.comparisons];
    this.emit({ type: 'comparison', comparison });
  }

  #changeChat(chatId: string, change: Partial<Chat>): Chat {
    const chat = this.chats.find(({ id }) => id === chatId);
    if (chat === undefined) throw new AppError('bad-input', 'There is no such chat.');
    return Object.assign(chat, change);
  }

  #id(kind: string): string {
    this.#ids += 1;
    return `${kind}-${this.#ids}`;
  }
}

export function deltaEvent(
  answer: Pick<Message, 'id' | 'chatId'>,
  offset: number,
  delta: string,
): Extract<AppEvent, { type: 'delta' }> {
  return { type: 'delta', chatId: answer.chatId, messageId: answer.id, offset, delta, tokensPerSecond: 40 };
}
