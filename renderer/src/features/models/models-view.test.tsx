// @vitest-environment jsdom
import { act, cleanup, fireEvent, screen, within } from '@testing-library/react';
import { afterEach, describe, expect, it } from 'vitest';
import type { ModelInfo } from '../../../../contract/engine.ts';
import { AppError } from '../../../../contract/errors.ts';
import type { DownloadStatus, ModelFit, OfferedModel } from '../../../../contract/models.ts';
import { FakeMain } from '../../testing/fake-main.ts';
import { openWindow } from '../../testing/open-window.tsx';

afterEach(cleanup);

const GB = 1e9;
const memoryFit = (level: ModelFit['level'], availableBytes = 5 * GB): ModelFit => ({
  level,
  availableBytes,
  devices: [],
  memory: { weights: 'fast', contextSize: 8192, weightsBytes: GB, kvBytes: 0.5 * GB, scratchBytes: 0.25 * GB },
});
const LOADED: ModelInfo = {
  id: 'm',
  name: 'Loaded',
  architecture: 'llama',
  weights: ['fast'],
  bytes: 240e6,
  contextTrained: 8192,
  origin: 'folder',
  sourcePath: '/models/loaded.gguf',
  sourceBytes: 98e6,
};
const FOUND: ModelInfo = {
  id: 'found',
  name: 'Found',
  architecture: 'qwen2',
  weights: [],
  bytes: 0,
  contextTrained: 32_768,
  origin: 'lm-studio',
  sourcePath: '/lm/found.gguf',
  sourceBytes: 1.1 * GB,
};
const BROKEN: ModelInfo = {
  ...FOUND,
  id: 'x',
  name: 'Other',
  origin: 'folder',
  bytes: 5,
  problem: { kind: 'model-unsupported', message: 'mamba is not supported.' },
};
const OFFER: OfferedModel = {
  id: 'small',
  name: 'Small',
  family: 'F',
  parameters: 494e6,
  quantization: 'Q4_K_M',
  bytes: 491e6,
  licence: 'Apache-2.0',
  licenceUrl: 'https://www.apache.org/licenses/LICENSE-2.0',
  url: 'https://huggingface.co/who/small-GGUF/resolve/main/small.gguf',
  sha256: 'a'.repeat(64),
  architecture: 'qwen2',
  contextTrained: 32_768,
  nLayer: 24,
  nHeadKv: 2,
  headDim: 64,
  memoryGB: 4,
  template: 'ChatML',
  note: { en: 'Small and quick.', 'zh-CN': '小巧。' },
  recommended: true,
  fit: memoryFit('fits'),
};
const BIG: OfferedModel = {
  ...OFFER,
  id: 'big',
  name: 'Big',
  parameters: 4e9,
  bytes: 2.5 * GB,
  fit: memoryFit('no', GB),
};
const STATUS: DownloadStatus = { entryId: 'small', state: 'running', received: 0, total: 491e6, bytesPerSecond: 0 };

/** Numbers and units are joined by a narrow space. */
const named = (name: string) => new RegExp(`^${name.replaceAll('.', '\\.').replaceAll(' ', '\\s')}$`);

async function page(models: ModelInfo[], catalog: OfferedModel[] = [OFFER, BIG]) {
  const main = new FakeMain();
  main.models = models;
  main.catalog = catalog;
  const { settle } = await openWindow(main);
  fireEvent.click(screen.getByRole('button', { name: 'Models' }));
  await settle();
  const item = (name: string) => within(screen.getByRole('listitem', { name }));
  const requests = (channel: string) =>
    main.asked.filter((asked) => asked.channel === channel).map(({ request }) => request);
  const press = (name: string) =>
    act(async () => void fireEvent.click(screen.getByRole('button', { name: named(name) })));
  const tell = async (status: Partial<DownloadStatus>) => {
    main.emit({ type: 'model-job', job: { kind: 'download', status: { ...STATUS, ...status } } });
    await settle();
  };
  return { main, settle, item, requests, press, tell };
}

describe('models that are here', () => {
  it('say what they are, where they lie and what they take', async () => {
    const { item } = await page([LOADED, FOUND, BROKEN]);
    expect(screen.getByText('3 models, 240 MB on disk.')).toBeTruthy();
    expect(item('Loaded').getByText('In use')).toBeTruthy();
    expect(item('Loaded').getByText(/^240 MB · llama · .*8,192 tokens · fast weights ready · in the mod/)).toBeTruthy();
    expect(item('Loaded').queryByRole('button', { name: 'Load Loaded' })).toBeNull();
    expect(item('Found').getByText(/^1\.1 GB · qwen2 · .* · prepared at first use · found in LM Studio$/)).toBeTruthy();
    expect(item('Other').getByText('mamba is not supported.')).toBeTruthy();
    expect(item('Other').queryByRole('button', { name: 'Load Other' })).toBeNull();
  });

  it('say whether they fit, with the numbers, for the context that is chosen', async () => {
    const { main, settle, item, requests } = await page([FOUND]);
    expect(item('Found').queryByTestId('fit')).toBeNull();
    main.handlers['models.fit'] = ({ contextSize }) => memoryFit(contextSize === 32_768 ? 'tight' : 'fits', 2 * GB);
    fireEvent.change(item('Found').getByRole('combobox', { name: 'Context of Found' }), { target: { value: '32768' } });
    await settle();
    expect(main.settings.contextSizes).toEqual({ found: 32_768 });
    expect(requests('models.fit').at(-1)).toEqual({ modelId: 'found', weights: 'fast', contextSize: 32_768 });
    expect(item('Found').getByText(/^Tight/).title).toMatch(
      /Weights 1\.0\sGB, context of 8,192 tokens 500\sMB, .* 250\sMB/,
    );
    expect(item('Found').getByText('needs 1.8 GB of 2.0 GB free memory')).toBeTruthy();
    fireEvent.change(item('Found').getByRole('combobox'), { target: { value: '8192' } });
    await settle();
    expect(main.settings.contextSizes).toEqual({});
  });

  it('say for each device beside the processor whether they fit', async () => {
    const { main, settle, item } = await page([FOUND]);
    const devices = [
      { id: 'g', name: 'Radeon', level: 'tight' as const, neededBytes: 2 * GB },
      { id: 'n', name: 'AI Boost', level: 'no' as const, neededBytes: GB },
    ];
    main.handlers['models.fit'] = () => ({ ...memoryFit('fits'), devices });
    fireEvent.change(item('Found').getByRole('combobox'), { target: { value: '4096' } });
    await settle();
    const told = item('Found').getAllByTestId('device-fit');
    expect(told.map(({ textContent }) => textContent)).toEqual(['Radeon Tight', 'AI Boost Too large']);
    expect(within(told[0] as HTMLElement).getByText('Tight').title).toMatch(/2\.0\sGB on this device/);
  });

  it('are loaded, checked, and give their memory back', async () => {
    const { main, settle, item, requests, press } = await page([LOADED, FOUND]);
    await press('Load Found');
    expect(requests('engine.load')).toEqual([{ modelId: 'found' }]);
    await press('More for Loaded');
    fireEvent.click(screen.getByRole('menuitem', { name: 'Give its memory back' }));
    await settle();
    expect(requests('models.unload')).toHaveLength(1);
    let fail: (error: Error) => void = () => undefined;
    main.handlers['models.verify'] = () => new Promise((_, reject) => (fail = reject));
    await press('More for Loaded');
    fireEvent.click(screen.getByRole('menuitem', { name: 'Check the files' }));
    const job = { kind: 'verify', jobId: 'j', modelId: 'm', name: 'Loaded' } as const;
    main.emit({
      type: 'model-job',
      job: { ...job, state: 'running', progress: { stage: 'import', done: 1, total: 4 } },
    });
    await settle();
    expect(item('Loaded').getByRole('progressbar').getAttribute('aria-valuenow')).toBe('25');
    fireEvent.click(item('Loaded').getByRole('button', { name: 'Stop' }));
    expect(requests('models.cancel')).toEqual([{ jobId: 'j' }]);
    const error = { kind: 'model-invalid' as const, message: 'weights.bin is damaged.' };
    fail(new AppError('model-invalid', error.message));
    main.emit({ type: 'model-job', job: { ...job, state: 'failed', error } });
    await settle();
    expect(item('Loaded').getByText('weights.bin is damaged.')).toBeTruthy();
    // Beside the model, and nowhere else.
    expect(screen.queryByTestId('error-notice')).toBeNull();
    main.emit({ type: 'model-job', job: { ...job, jobId: 'k', state: 'done', checked: 'checksum' } });
    await settle();
    expect(item('Loaded').getByText(/all files are as they should be/)).toBeTruthy();
    main.emit({ type: 'model-job', job: { ...job, jobId: 'l', state: 'done', checked: 'format' } });
    await settle();
    expect(item('Loaded').getByText(/No checksum of this file is known/)).toBeTruthy();
  });

  it('are deleted only after a question that says what that frees', async () => {
    const { main, settle, requests, press } = await page([LOADED, { ...FOUND, bytes: 1e9, weights: ['fast'] }]);
    await press('More for Loaded');
    fireEvent.click(screen.getByRole('menuitem', { name: 'Delete…' }));
    expect(screen.getByRole('dialog', { name: 'Delete Loaded?' }).textContent).toMatch(/frees 240\sMB/);
    await press('Cancel');
    expect(requests('models.remove')).toEqual([]);
    await press('More for Found');
    fireEvent.click(screen.getByRole('menuitem', { name: 'Delete…' }));
    expect(screen.getByRole('dialog').textContent).toMatch(
      /frees 1\.0\sGB\. The file itself belongs to another program/,
    );
    await press('Delete');
    expect(requests('models.remove')).toEqual([{ modelId: 'found' }]);
    main.models = [LOADED];
    main.emit({ type: 'models' });
    await settle();
    expect(screen.queryByRole('listitem', { name: 'Found' })).toBeNull();
  });

  it('of another program that were never prepared cannot be deleted', async () => {
    const { press } = await page([FOUND]);
    await press('More for Found');
    expect(screen.queryByRole('menuitem', { name: 'Delete…' })).toBeNull();
  });

  it('can be added by a dialog or by dropping; cancelling is no failure', async () => {
    const { main, settle, requests, press } = await page([]);
    main.handlers['models.import'] = () => Promise.reject(new AppError('cancelled', 'No.'));
    await press('Choose a file');
    await press('Choose a folder');
    expect(requests('models.import')).toEqual([{ what: 'file' }, { what: 'folder' }]);
    expect(screen.queryByTestId('error-notice')).toBeNull();
    const drop = (files: File[]) =>
      fireEvent.drop(screen.getByText('Add a model that you have'), { dataTransfer: { types: ['Files'], files } });
    drop([new File([], 'a.gguf'), new File([], 'b.gguf')]);
    await settle();
    expect(screen.getByTestId('error-notice').textContent).toContain('one file or folder');
    main.handlers['models.drop'] = () => LOADED;
    drop([new File([], 'a.gguf')]);
    await settle();
    expect(requests('models.drop')).toEqual([{ path: 'a.gguf' }]);
    const job = { kind: 'import', jobId: 'i', name: 'a', state: 'running' } as const;
    main.emit({ type: 'model-job', job: { ...job, progress: { stage: 'import', done: 1, total: 2 } } });
    await settle();
    expect(screen.getByRole('progressbar', { name: 'Preparing a' }).getAttribute('aria-valuenow')).toBe('50');
    await press('Stop');
    expect(requests('models.cancel')).toEqual([{ jobId: 'i' }]);
    main.emit({ type: 'model-job', job: { ...job, state: 'cancelled' } });
    await settle();
    expect(screen.queryByRole('progressbar', { name: 'Preparing a' })).toBeNull();
  });
});

describe('without a model', () => {
  it('one that fits is offered', async () => {
    const { requests, press } = await page([]);
    expect(screen.getByText(/A good start on this computer: Small, 491 MB\./)).toBeTruthy();
    const [first] = screen.getAllByRole('button', { name: named('Download Small, 491 MB') });
    await act(async () => void (first && fireEvent.click(first)));
    expect(requests('models.download')).toEqual([{ entryId: 'small' }]);
    await press('Download Big, 2.5 GB');
    expect(requests('models.download').at(-1)).toEqual({ entryId: 'big' });
  });

  it('the largest that fits is taken, and the smallest where none does', async () => {
    const medium = { ...OFFER, id: 'medium', name: 'Medium', bytes: 600e6 };
    await page([], [OFFER, medium, BIG]);
    expect(screen.getByText(/A good start.*Medium/)).toBeTruthy();
    cleanup();
    await page([], [BIG, { ...OFFER, fit: memoryFit('tight') }]);
    expect(screen.getByText(/A good start.*Small/)).toBeTruthy();
  });
});

describe('a download', () => {
  it('shows how far it is, how fast, and how long it takes', async () => {
    const { item, tell } = await page([LOADED]);
    await tell({ received: 122.75e6, bytesPerSecond: 10e6, secondsLeft: 37 });
    expect(item('Small').getByText('123 MB of 491 MB · 10 MB/s · 37 s left')).toBeTruthy();
    expect(item('Small').getByRole('progressbar').getAttribute('aria-valuenow')).toBe('25');
    expect(item('Small').queryByRole('button', { name: /^Download / })).toBeNull();
    await tell({ state: 'queued' });
    expect(item('Small').getByText('Waiting for the download before it')).toBeTruthy();
    await tell({ state: 'verifying', received: 491e6 });
    expect(item('Small').getByText('Comparing the checksum')).toBeTruthy();
    expect(item('Small').queryByRole('button', { name: /Pause/ })).toBeNull();
  });

  it('is paused, resumed, tried again and cancelled', async () => {
    const { item, tell, press, requests } = await page([LOADED]);
    await tell({});
    await press('Pause the download of Small');
    expect(requests('models.pause')).toEqual([{ entryId: 'small' }]);
    await tell({ state: 'paused', received: 49.1e6 });
    expect(item('Small').getByText('49 MB of 491 MB · paused')).toBeTruthy();
    await press('Resume the download of Small');
    await tell({ error: { kind: 'download-failed', message: 'The connection was lost.' } });
    expect(item('Small').getByText(/trying again/)).toBeTruthy();
    await tell({ state: 'failed', error: { kind: 'disk-full', message: 'The disk is full.', action: 'Make room.' } });
    expect(item('Small').getByText('The disk is full.')).toBeTruthy();
    await press('Try the download of Small again');
    expect(requests('models.download')).toEqual([{ entryId: 'small' }, { entryId: 'small' }]);
    await press('Cancel the download of Small');
    expect(requests('models.cancel-download')).toEqual([{ entryId: 'small' }]);
    await tell({ state: 'cancelled' });
    expect(item('Small').getByRole('button', { name: named('Download Small, 491 MB') })).toBeTruthy();
  });

  it('that is done turns into a model that is here', async () => {
    const { main, settle, item, tell } = await page([LOADED]);
    await tell({});
    await tell({ state: 'done', received: 491e6 });
    main.catalog = [{ ...OFFER, installed: 'small' }, BIG];
    main.models = [LOADED, { ...FOUND, id: 'small', name: 'Small file', origin: 'folder' }];
    main.emit({ type: 'models' });
    await settle();
    expect(item('Small').getByText('On this computer')).toBeTruthy();
    expect(screen.getByRole('listitem', { name: 'Small file' })).toBeTruthy();
  });

  it('that was begun before the window was there is shown', async () => {
    const main = new FakeMain();
    main.catalog = [OFFER];
    main.handlers['models.jobs'] = () => [{ kind: 'download', status: { ...STATUS, state: 'paused', received: 5e6 } }];
    const { settle } = await openWindow(main);
    fireEvent.click(screen.getByRole('button', { name: 'Models' }));
    await settle();
    expect(screen.getByText('5.0 MB of 491 MB · paused')).toBeTruthy();
  });

  it('comes from the server that is set, if that is safe', async () => {
    const { main, settle } = await page([LOADED]);
    const field = screen.getByRole('textbox', { name: 'Download server' });
    fireEvent.change(field, { target: { value: 'http://hf-mirror.com' } });
    fireEvent.keyDown(field, { key: 'Enter' });
    await settle();
    expect(screen.getByRole('alert').textContent).toBe('It must begin with https://.');
    expect(main.settings.downloadServer).toBeUndefined();
    fireEvent.change(field, { target: { value: ' https://hf-mirror.com ' } });
    fireEvent.blur(field);
    await settle();
    expect(main.settings.downloadServer).toBe('https://hf-mirror.com');
    fireEvent.change(field, { target: { value: '' } });
    fireEvent.blur(field);
    await settle();
    expect(main.settings.downloadServer).toBeUndefined();
  });
});
