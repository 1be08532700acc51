import { describe, expect, it } from 'vitest';
import { type Channel, channels } from '../../contract/channels.ts';
import { AppError } from '../../contract/errors.ts';
import { createRouter, type Handlers } from './router.ts';

/** Handlers that note what reached them. */
function gate(answer: () => unknown = () => undefined) {
  const reached: [channel: string, request: unknown][] = [];
  const log: string[] = [];
  const entries = Object.keys(channels).map((channel) => [
    channel,
    (request: unknown) => {
      reached.push([channel, request]);
      return answer();
    },
  ]);
  const handlers = Object.fromEntries(entries) as unknown as Handlers;
  return { route: createRouter(handlers, (line) => log.push(line)), reached, log };
}

/** Sound requests, to be spoilt one by one. */
const SOUND: { [C in Channel]: unknown } = {
  'chats.newest': { withId: null },
  'chats.page': { after: 'c' },
  'chats.create': { folderId: null },
  'chats.change': { chatId: 'c', title: 't' },
  'chats.remove': { chatIds: ['c'] },
  'chats.restore': { chatIds: ['c'] },
  'chats.removed': undefined,
  'chats.erase': { chatIds: ['c'] },
  'chats.export': { chatIds: null, format: 'json' },
  'chats.import': undefined,
  'folders.list': undefined,
  'folders.create': { name: 'f' },
  'folders.rename': { folderId: 'f', name: 'g' },
  'folders.remove': { folderId: 'f' },
  'chats.search': { query: '' },
  'messages.list': { chatId: 'c' },
  'messages.send': { chatId: 'c', text: 'x' },
  'messages.stop': { messageId: 'm' },
  'messages.regenerate': { messageId: 'm' },
  'messages.continue': { messageId: 'm' },
  'messages.select': { messageId: 'm' },
  'messages.resolve': { messageId: 'm', choice: 'condense' },
  'messages.measure': { chatId: null, text: '' },
  'chats.options': { chatId: 'c', options: {} },
  'drafts.list': undefined,
  'drafts.set': { chatId: null, text: 'x', by: 'w' },
  'documents.list': undefined,
  'documents.add': { kind: 'files' },
  'documents.drop': { paths: ['/x'] },
  'documents.paste': { text: 't' },
  'documents.read': { documentId: 'd' },
  'documents.stop': { documentId: 'd' },
  'documents.remove': { documentId: 'd' },
  'documents.pages': { documentId: 'd', from: 1, to: 2 },
  'ocr.list': undefined,
  'ocr.fetch': { language: 'eng' },
  'ocr.stop': { language: 'eng' },
  'summaries.plan': { documentId: 'd', options: { style: 'brief', length: 'short', language: 'document' } },
  'summaries.start': { documentId: 'd', options: { style: 'brief', length: 'short', language: 'document' } },
  'summaries.stop': { summaryId: 's' },
  'summaries.resume': { summaryId: 's' },
  'summaries.redo': { summaryId: 's', section: 0 },
  'compare.plan': { source: { kind: 'text', text: 't' }, maxTokens: 64 },
  'compare.start': {
    source: { kind: 'document', documentId: 'd', question: 'q' },
    maxTokens: 64,
    variants: [{ attention: { mode: 'full', ratio: 1 } }, { attention: { mode: 'shadow', ratio: 0.1 } }],
  },
  'compare.plan-curve': undefined,
  'compare.start-curve': undefined,
  'compare.stop': { comparisonId: 'c' },
  'compare.list': undefined,
  'compare.get': { comparisonId: 'c' },
  'compare.remove': { comparisonId: 'c' },
  'compare.export': { comparisonId: 'c', format: 'html' },
  'summaries.list': { documentId: 'd' },
  'summaries.remove': { summaryId: 's' },
  'summaries.export': { summaryId: 's', format: 'pdf' },
  'summaries.to-chat': { summaryId: 's' },
  'documents.ask': { documentIds: ['d'], question: 'q' },
  'documents.stop-answer': { answerId: 'a' },
  'documents.answers': { documentId: 'd' },
  'documents.kept': undefined,
  'documents.clear-kept': undefined,
  'attachments.add': { chatId: 'c' },
  'attachments.drop': { chatId: 'c', paths: ['/x'] },
  'attachments.retry': { attachmentId: 'a' },
  'attachments.remove': { attachmentId: 'a' },
  'presets.list': undefined,
  'presets.save': { presetId: null, name: 'n' },
  'presets.remove': { presetId: 'p' },
  'models.list': undefined,
  'models.jobs': undefined,
  'models.import': { what: 'file' },
  'models.drop': { path: '/m.gguf' },
  'models.verify': { modelId: 'm' },
  'models.cancel': { jobId: 'j' },
  'models.remove': { modelId: 'm' },
  'models.unload': undefined,
  'models.fit': { modelId: 'm', weights: 'fast' },
  'models.catalog': undefined,
  'models.download': { entryId: 'e' },
  'models.pause': { entryId: 'e' },
  'models.cancel-download': { entryId: 'e' },
  'engine.status': undefined,
  'engine.devices': undefined,
  'devices.test': { device: null },
  'devices.stop': undefined,
  'devices.choose-folder': undefined,
  'devices.forget-folder': undefined,
  'engine.load': { modelId: 'm' },
  'calibration.status': undefined,
  'calibration.start': undefined,
  'calibration.stop': undefined,
  'settings.get': undefined,
  'settings.set': {},
  'resources.history': undefined,
  'resources.watch': { closely: true },
  'pipeline.trace': undefined,
  'pipeline.cost-tables': undefined,
  'pipeline.what-if': {
    costs: 'machine',
    switches: { planner: true, pipeline: true, fuse: true, buckets: true },
    layer: 0,
    pass: 0,
  },
  'pipeline.replay': { pilot: 'simulated' },
  'pipeline.stop-replay': undefined,
  'pipeline.kept-tokens': { layer: null, head: 0 },
  'clipboard.write': { text: '' },
  'app.new-window': undefined,
  'app.zoom': { change: 'none' },
  'app.diagnostics': undefined,
  'app.attach-sample': undefined,
  'app.start-notice': undefined,
  'app.open-logs': undefined,
  'crashes.list': undefined,
  'crashes.remove': undefined,
  'crashes.report': { name: 'Error', stack: '' },
};
const all = Object.keys(SOUND) as Channel[];

describe('the router', () => {
  it('passes every sound request on', async () => {
    const { route, reached } = gate(() => 5);
    for (const channel of all) expect(await route(channel, true, SOUND[channel])).toEqual({ ok: true, value: 5 });
    expect(reached.map(([channel]) => channel)).toEqual(all);
    expect(all.sort()).toEqual(Object.keys(channels).sort());
  });

  it('lets no foreign page through', async () => {
    const { route, reached } = gate();
    for (const channel of all) {
      expect(await route(channel, false, SOUND[channel])).toMatchObject({ ok: false, error: { kind: 'usage' } });
    }
    expect(reached).toEqual([]);
  });

  it.each([
    ['a string', 'x'],
    ['a number', 1],
    ['null', null],
    ['an array', [{}]],
    ['a function result', () => 1],
    ['an object with a hostile prototype', JSON.parse('{"__proto__": {"chatId": "c", "text": "x"}}')],
    [
      'wrong types',
      {
        chatId: {},
        title: [],
        text: 7,
        query: null,
        messageId: 1,
        attachmentId: 1,
        presetId: 1,
        options: 1,
        by: 1,
        modelId: {},
        temperature: 'hot',
      },
    ],
  ])('stops %s on every channel', async (_, request) => {
    const { route, reached } = gate();
    for (const channel of all) {
      const spoilt = request !== null && typeof request === 'object' && '__proto__' in request;
      if (spoilt && channel === 'settings.set') continue; // nothing of it is a setting: an empty change
      expect(await route(channel, true, request), channel).toMatchObject({ ok: false, error: { kind: 'usage' } });
    }
    expect(reached.filter(([channel]) => channel !== 'settings.set')).toEqual([]);
  });

  it.each([
    ['messages.send', { chatId: '', text: 'x' }],
    ['messages.send', { chatId: 'c'.repeat(65), text: 'x' }],
    ['messages.send', { chatId: 'c', text: 'x'.repeat(4_000_001) }],
    ['messages.send', { chatId: 'c', text: 'x', attachments: [''] }],
    ['messages.resolve', { messageId: 'm', choice: 'cut' }],
    ['chats.options', { chatId: 'c', options: { sampling: { temperature: 2.1 } } }],
    ['chats.options', { chatId: 'c', options: { sampling: { topK: 1.5 } } }],
    ['chats.options', { chatId: 'c', options: { sampling: { stop: [''] } } }],
    ['presets.save', { presetId: null, name: '  ' }],
    ['attachments.drop', { chatId: null, paths: [''] }],
    ['chats.change', { chatId: 'c', title: '' }],
    ['chats.change', { chatId: 'c', title: 'x'.repeat(201) }],
    ['chats.search', { query: 'x'.repeat(201) }],
    ['settings.set', { temperature: Number.NaN }],
    ['settings.set', { temperature: 3 }],
    ['settings.set', { attention: { mode: 'shadow', ratio: 0 } }],
    ['settings.set', { attention: { mode: 'linear', ratio: 0.1 } }],
    ['settings.set', { attention: { mode: 'shadow', ratio: 0.1, pilot: 'ort:../x' } }],
    ['settings.set', { theme: 'purple' }],
  ] as const)('stops %s out of its range', async (channel, request) => {
    const { route, reached } = gate();
    expect(await route(channel, true, request)).toMatchObject({ ok: false, error: { kind: 'usage' } });
    expect(reached).toEqual([]);
  });

  it('lets every mode and option of attention through', async () => {
    const attention = { mode: 'shadow', ratio: 0.1, pilot: 'simulated', scale: 'buckets', tail: false, minKeys: 32 };
    const { route, reached } = gate();
    await route('settings.set', true, { attention });
    await route('settings.set', true, { attention: { mode: 'npu-full', ratio: 1 } });
    expect(reached).toEqual([
      ['settings.set', { attention }],
      ['settings.set', { attention: { mode: 'npu-full', ratio: 1 } }],
    ]);
  });

  it('drops what is not in the contract', async () => {
    const { route, reached } = gate();
    await route('settings.set', true, { theme: 'dark', modelsDir: '/etc', libraryFolder: '/tmp', constructor: 1 });
    expect(reached).toEqual([['settings.set', { theme: 'dark' }]]);
  });

  it('turns errors into envelopes, with detail in the log only, and never logs the request', async () => {
    const secret = 'my secret question';
    const failing = gate(() => {
      throw new AppError('engine-busy', 'Wait.', { action: 'Ask later.', detail: 'inner' });
    });
    expect(await failing.route('messages.send', true, { chatId: 'c', text: secret })).toEqual({
      ok: false,
      error: { kind: 'engine-busy', message: 'Wait.', action: 'Ask later.' },
    });
    const rejecting = gate(() => Promise.reject(new Error('odd')));
    expect(await rejecting.route('chats.newest', true, { withId: null })).toEqual({
      ok: false,
      error: { kind: 'internal', message: 'odd' },
    });
    await failing.route('messages.send', true, { chatId: secret.repeat(9), text: secret });
    expect(failing.log[0]).toContain('inner');
    expect(failing.log.join()).not.toContain(`text: ${secret}`);
  });
});
