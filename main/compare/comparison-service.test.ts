import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { AppEvent } from '../../contract/channels.ts';
import type { Comparison, Curve, KeptComparison, Variant } from '../../contract/compare.ts';
import type { LoadedModel } from '../../contract/engine.ts';
import { SerialQueue } from '../chat/serial-queue.ts';
import { type Script, scripted } from '../chat/testing/spawn-scripted.ts';
import { EngineProcess } from '../engine-process.ts';
import { openStorage, type Storage } from '../storage/storage.ts';
import { CountedDocuments } from '../summaries/counted-documents.ts';
import { ComparisonService } from './comparison-service.ts';
import { Trials } from './trials.ts';

const FULL: Variant = { attention: { mode: 'full', ratio: 1 } };
const SHADOW: Variant = { attention: { mode: 'shadow', ratio: 0.1 } };
const BLOCK: Variant = { attention: { mode: 'block', ratio: 0.2 } };

let folder: string;
let storage: Storage;
let engine: EngineProcess;
let events: AppEvent[];
let queue: SerialQueue;
let model: LoadedModel;

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'compare 对比 '));
  storage = openStorage(folder);
  events = [];
  queue = new SerialQueue();
});
afterEach(async () => {
  await engine.stop();
  storage.close();
  rmSync(folder, { recursive: true, force: true });
});

/** A token is a character; `script.limit` is the context. */
async function open(script: Script = {}): Promise<ComparisonService> {
  engine = new EngineProcess({
    spawn: scripted(() => script).spawn,
    log: () => undefined,
    changed: () => undefined,
    backOffMs: [1, 1, 1],
  });
  engine.start();
  model = await engine.load({ model: 'm', weights: 'fast' }, () => undefined);
  return service();
}

function service(): ComparisonService {
  const keeper = {
    // Waits for an engine that is started again, as the app's keeper does.
    ensure: async (): Promise<LoadedModel> => {
      for (;;) {
        try {
          return await engine.load({ model: model.id, weights: 'fast' }, () => undefined);
        } catch {
          await new Promise((resolve) => setTimeout(resolve, 10));
        }
      }
    },
  };
  const emit = (event: AppEvent) => events.push(event);
  let joules = 0;
  const energyFromNow = () => {
    const from = joules++;
    return () => ({ joules: joules - from, sensor: 'counter' as const });
  };
  return new ComparisonService({
    storage,
    engine,
    documents: new CountedDocuments(storage.documents),
    keeper,
    trials: new Trials({ engine, keeper, queue, emit, energyFromNow }),
    sampleText: async () => 'say x',
    machine: 'a machine',
    shadowRatio: 0.07,
    emit,
    log: () => undefined,
  });
}

async function ended<K extends KeptComparison>({ id }: K): Promise<K> {
  for (let tries = 0; tries < 500; tries += 1) {
    const kept = storage.comparisons.get(id);
    if (kept.state !== 'running') return kept as K;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  throw new Error('the comparison did not end');
}

const text = (words: string) => ({ kind: 'text' as const, text: words });
const rowState = (kept: Comparison) => kept.rows.map(({ state }) => state);

describe('a comparison', () => {
  it('answers in every way, full attention first, and compares with its answer', async () => {
    const comparisons = await open();
    const begun = await comparisons.start(text('for full say a|b|c\nfor shadow say a|x'), 8, [FULL, SHADOW]);
    expect(rowState(begun)).toEqual(['waiting', 'waiting']);
    const done = await ended(begun);
    expect(done).toMatchObject({ state: 'complete', model: 'm', machine: 'a machine', maxTokens: 8 });
    expect(done.rows.map((row) => row.text)).toEqual(['abc', 'ax']);
    expect(done.rows[0]).not.toHaveProperty('agreement');
    // Over the three tokens of full attention's answer.
    expect(done.rows[1]?.agreement).toEqual({ tokens: 3, top1: 0.5, kl: 0.25 });
    expect(done.rows[1]).toMatchObject({ peakBytes: 1000, figures: { completionTokens: 2, energy: { joules: 1 } } });
    expect(done.rows[1]?.figures).not.toHaveProperty('tokenIds');
    const told = events.flatMap((event) => (event.type === 'comparison-progress' ? [event] : []));
    const deltas = (row: number) => told.filter((event) => event.row === row && event.prefill === undefined);
    expect(deltas(0).map(({ offset, delta }) => [offset, delta])).toEqual([
      [0, 'a'],
      [1, 'b'],
      [2, 'c'],
    ]);
    expect(deltas(1).map(({ offset }) => offset)).toEqual([0, 1]);
  });

  it('lets a question of a chat in between two ways', async () => {
    const comparisons = await open();
    const begun = await comparisons.start(text('wait 100\nsay a'), 8, [FULL, SHADOW]);
    const toldOf = (row: number) => events.some((event) => event.type === 'comparison-progress' && event.row === row);
    expect(await queue.run(async () => [toldOf(0), toldOf(1)])).toEqual([true, false]);
    expect(rowState(await ended(begun))).toEqual(['done', 'done']);
  });

  it('that is stopped keeps what is done', async () => {
    const comparisons = await open();
    const begun = await comparisons.start(text('for shadow say half\nfor shadow wait 60000'), 8, [FULL, SHADOW, BLOCK]);
    await expect(comparisons.start(text('x'), 8, [FULL, SHADOW])).rejects.toMatchObject({ kind: 'engine-busy' });
    await expect
      .poll(() => events.some((event) => event.type === 'comparison-progress' && event.delta === 'half'))
      .toBe(true);
    comparisons.stop(begun.id);
    const stopped = await ended(begun);
    expect(stopped.state).toBe('stopped');
    expect(rowState(stopped)).toEqual(['done', 'stopped', 'stopped']);
    expect(stopped.rows[1]).toMatchObject({ text: 'half' });
    expect(stopped.rows[1]).not.toHaveProperty('figures');
    await expect
      .poll(() => comparisons.start(text('say x'), 8, [FULL, SHADOW]).then(ended))
      .toMatchObject({ state: 'complete' });
  });

  it('goes on with the others where one fails, or the engine ends', async () => {
    const comparisons = await open();
    const done = await ended(await comparisons.start(text('for shadow die 3\nsay a'), 8, [FULL, SHADOW, BLOCK]));
    expect(rowState(done)).toEqual(['done', 'failed', 'done']);
    expect(done.rows[1]?.error?.kind).toBe('engine-crashed');
    expect(done.rows[1]?.error).not.toHaveProperty('detail');
    expect(done.state).toBe('complete');
  });

  it('belongs to one model', async () => {
    const comparisons = await open();
    const begun = await comparisons.start(text('wait 100\nsay a'), 8, [FULL, SHADOW]);
    model = { ...model, id: 'another' };
    const done = await ended(begun);
    expect(done.rows[1]?.error?.message).toContain('Another model');
  });

  it('cut off by the end of the app counts as stopped; it can be removed', async () => {
    const comparisons = await open();
    const done = await ended(await comparisons.start(text('say a'), 8, [FULL, SHADOW]));
    storage.comparisons.put({
      ...done,
      state: 'running',
      rows: done.rows.map((row, index) => (index === 1 ? { ...row, state: 'running' as const } : row)),
    });
    storage.close();
    storage = openStorage(folder);
    const again = service();
    const found = storage.comparisons.get(done.id) as Comparison;
    expect([found.state, ...rowState(found)]).toEqual(['stopped', 'done', 'stopped']);
    expect(storage.comparisons.list()).toMatchObject([
      { id: done.id, kind: 'answers', title: 'say a', state: 'stopped' },
    ]);
    again.remove(done.id);
    expect(storage.comparisons.list()).toEqual([]);
    expect(events.at(-1)).toEqual({ type: 'comparison-removed', comparisonId: done.id });
  });
});

describe('the prompt', () => {
  it('is the beginning of a document that fits beside question and answer, and says how much', async () => {
    const comparisons = await open({ limit: 1000 });
    const { id } = storage.documents.add('Report.txt', '/nowhere/Report.txt', 10);
    const pages = ['first words ', 'word '.repeat(500)].map((page, i) => ({ number: i + 1, text: page }));
    const outline = {
      format: 'text' as const,
      unit: 'part' as const,
      pageCount: 2,
      headings: [],
      problems: [],
      bytes: 10,
      sha256: 'a'.repeat(64),
      modifiedAt: 1,
    };
    storage.documents.finish(id, { ...outline, pages });
    const source = { kind: 'document' as const, documentId: id, question: 'What is it?' };
    const read = vi.spyOn(storage.documents, 'pages');
    const plan = await comparisons.plan(source, 100);
    expect(plan.cut?.of).toBe('first words '.length + 2 + 2500);
    expect(plan.cut?.used).toBeGreaterThan(500);
    expect(plan.promptTokens).toBeLessThanOrEqual(900);
    const done = await ended(await comparisons.start(source, 100, [FULL, SHADOW]));
    // Another question beside the same document does not read it again.
    await comparisons.plan({ ...source, question: 'What was it?' }, 100);
    expect(read).toHaveBeenCalledTimes(1);
    storage.documents.finish(id, { ...outline, problems: [], pages: [{ number: 1, text: 'read anew' }], pageCount: 1 });
    expect(await comparisons.plan(source, 100)).not.toHaveProperty('cut');
    expect(read).toHaveBeenCalledTimes(2);
    expect(done).toMatchObject({ ...plan, question: 'What is it?', documentName: 'Report.txt', state: 'complete' });
    expect(await comparisons.plan(text('short'), 100)).toEqual({ promptTokens: 5 });
    await expect(comparisons.plan(text('short'), 990)).rejects.toMatchObject({ kind: 'context-overflow' });
  });
});

describe('a curve', () => {
  it('has full and shadow attention at every length that fits, and tells its time from the last one', async () => {
    const comparisons = await open({ limit: 2000 });
    expect(await comparisons.planCurve()).toMatchObject({ lengths: [512, 1024, 1999], measured: false });
    const begun = await comparisons.startCurve();
    const done = await ended<Curve>(begun);
    expect(done).toMatchObject({ state: 'complete', ratio: 0.07 });
    // The scripted engine takes a second for every prompt.
    expect(done.points).toEqual(
      [512, 1024, 1999].flatMap((tokens) => ['full', 'shadow'].map((mode) => ({ mode, tokens, seconds: 1 }))),
    );
    expect(await comparisons.planCurve()).toEqual({ lengths: [512, 1024, 1999], seconds: 6, measured: true });
  });
});
