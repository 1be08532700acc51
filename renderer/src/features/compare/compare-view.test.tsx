// @vitest-environment jsdom
import { act, cleanup, fireEvent, screen, within } from '@testing-library/react';
import { afterEach, describe, expect, it } from 'vitest';
import type { Comparison, ComparisonRow, Curve } from '../../../../contract/compare.ts';
import { FakeMain } from '../../testing/fake-main.ts';
import { openWindow } from '../../testing/open-window.tsx';

afterEach(cleanup);

const click = (element: HTMLElement) => act(async () => void fireEvent.click(element));
const change = (element: HTMLElement, value: string) =>
  act(async () => void fireEvent.change(element, { target: { value } }));
/** Longer than the pause after which a prompt is counted. */
const pause = () => act(() => new Promise<void>((resolve) => setTimeout(resolve, 450)));

async function open(main = new FakeMain()) {
  const opened = await openWindow(main);
  await click(screen.getByRole('button', { name: 'Compare' }));
  await opened.settle();
  return { main, ...opened };
}

const figures = (tokensPerSecond: number): NonNullable<ComparisonRow['figures']> => ({
  promptTokens: 1200,
  cachedTokens: 0,
  completionTokens: 32,
  finishReason: 'length',
  prefill: { seconds: 1, tokensPerSecond },
  decode: { seconds: 1, tokensPerSecond: 31 },
  firstTokenMs: 2400,
  attention: { mode: 'full', ratio: 1, pilotDevice: null },
  device: 'CPU',
  model: 'TestModel',
  weights: 'fast',
});

function rowsOf(comparison: Comparison): ComparisonRow[] {
  const [full, shadow] = comparison.rows;
  if (full === undefined || shadow === undefined) throw new Error('no rows');
  return [
    { ...full, state: 'done', text: 'The sky is blue.', figures: figures(500), peakBytes: 4e8 },
    {
      ...shadow,
      state: 'done',
      text: 'The sky is wide and blue.',
      figures: {
        ...figures(1000),
        energy: { joules: 5, sensor: 'counter' },
        attention: { ...shadow.variant.attention, pilotDevice: 'CPU' },
        work: [{ part: 'dense', device: 'CPU', launches: 3, ms: 900 }],
      },
      peakBytes: 5e8,
      agreement: { tokens: 32, top1: 0.9375, kl: 0.0123 },
    },
    ...comparison.rows
      .slice(2)
      .map((row) => ({ ...row, state: 'failed' as const, error: { kind: 'internal' as const, message: 'It broke.' } })),
  ];
}

const startRequest = (main: FakeMain) =>
  main.asked.find(({ channel }) => channel === 'compare.start')?.request as {
    variants: { attention: { mode: string; ratio: number; pilot?: string } }[];
    maxTokens: number;
  };

describe('a new comparison', () => {
  it('tells what it will take before anything runs, then runs the ways that were chosen', async () => {
    const { main, settle } = await open();
    expect(screen.getByTestId('compare-run')).toHaveProperty('disabled', true);
    await change(screen.getByTestId('compare-text'), 'A long text.');
    await pause();
    expect(screen.getByTestId('compare-plan').textContent).toBe('1,200 tokens.');
    await change(screen.getByLabelText('Attention of way 3'), 'sparse');
    await click(screen.getByRole('button', { name: 'Add a way' }));
    await change(screen.getByLabelText('Scores of way 4'), 'simulated');
    await change(screen.getByLabelText('Share of the text that way 4 reads closely'), '0.1');
    await click(screen.getByRole('button', { name: 'Remove way 2' }));
    await change(screen.getByLabelText('Length of the answer'), '32');
    await pause();
    await click(screen.getByRole('button', { name: 'Compare 3 ways' }));
    await settle();
    expect(startRequest(main)).toMatchObject({
      maxTokens: 32,
      variants: [
        { attention: { mode: 'full', ratio: 1 } },
        { attention: { mode: 'sparse', ratio: 0.2 } },
        { attention: { mode: 'shadow', ratio: 0.1, pilot: 'simulated' } },
      ],
    });
    expect(screen.getByTestId('comparison').textContent).toContain('One way uses a simulated device');
  });

  it('says how much of a text is used, and takes five ways at the most', async () => {
    const main = new FakeMain();
    main.handlers['compare.plan'] = () => ({ promptTokens: 8000, cut: { used: 7900, of: 20_000 } });
    await open(main);
    await change(screen.getByTestId('compare-text'), 'Long.');
    await pause();
    expect(screen.getByTestId('compare-plan').textContent).toContain('Only the first 7,900 of 20,000 tokens');
    await click(screen.getByRole('button', { name: 'Add a way' }));
    await click(screen.getByRole('button', { name: 'Add a way' }));
    expect(screen.getAllByTestId('compare-way')).toHaveLength(4);
    expect(screen.queryByRole('button', { name: 'Add a way' })).toBeNull();
  });

  it('can be about a document, and keeps its form while other screens are looked at', async () => {
    const { main, settle } = await open();
    await click(screen.getByRole('radio', { name: 'Document' }));
    expect(screen.getByText(/There is no document that has been read/)).toBeDefined();
    act(() => {
      main.emit({
        type: 'document',
        document: { id: 'd', name: 'Towns.pdf', bytes: 1, addedAt: 1, state: 'ready', pageCount: 2 },
      });
    });
    main.documents = [{ id: 'd', name: 'Towns.pdf', bytes: 1, addedAt: 1, state: 'ready', pageCount: 2 }];
    await settle();
    await change(screen.getByLabelText('Document', { selector: 'select' }), 'd');
    await click(screen.getByRole('button', { name: 'Models' }));
    await click(screen.getByRole('button', { name: 'Compare' }));
    await pause();
    await click(screen.getByTestId('compare-run'));
    expect(startRequest(main)).toMatchObject({
      source: { kind: 'document', documentId: 'd', question: 'Summarise this in three sentences.' },
    });
  });
});

describe('a comparison', () => {
  async function begun() {
    const opened = await open();
    await change(screen.getByTestId('compare-text'), 'A long text.');
    await pause();
    await click(screen.getByTestId('compare-run'));
    await opened.settle();
    const comparison = opened.main.comparisons[0] as Comparison;
    return { ...opened, comparison };
  }

  it('grows while it runs, and can be stopped', async () => {
    const { main, settle, comparison } = await begun();
    const rows = comparison.rows.map((row, i) => (i === 0 ? { ...row, state: 'running' as const } : row));
    main.emit({ type: 'comparison', comparison: { ...comparison, rows } });
    const place = { type: 'comparison-progress', comparisonId: comparison.id, row: 0, tokensPerSecond: 40 } as const;
    main.emit({ ...place, prefill: { done: 600, total: 1200 }, offset: 0, delta: '' });
    await settle();
    expect(screen.getAllByTestId('compare-answer')[0]?.textContent).toContain('600 of 1,200 tokens');
    main.emit({ ...place, offset: 0, delta: 'The ' });
    main.emit({ ...place, offset: 4, delta: 'sky' });
    await settle();
    expect(screen.getAllByTestId('compare-answer')[0]?.textContent).toContain('The sky');
    await click(screen.getByRole('button', { name: 'Stop' }));
    expect(main.asked).toContainEqual({ channel: 'compare.stop', request: { comparisonId: comparison.id } });
  });

  it('shows every figure, says what is missing, and marks the words that differ', async () => {
    const { main, settle, comparison } = await begun();
    main.emit({ type: 'comparison', comparison: { ...comparison, state: 'complete', rows: rowsOf(comparison) } });
    await settle();
    const [full, shadow, block] = screen.getAllByTestId('figure-row').map((row) => row.textContent ?? '');
    // No part of its work was attention to kept keys.
    expect(shadow).toContain('Kept every key');
    expect(full).not.toContain('Kept every key');
    for (const text of [
      'Full',
      '2.4\u202fs',
      '500\u202ftok/s',
      '400\u202fMB',
      'Not reported by this driver',
      'the reference',
    ]) {
      expect(full).toContain(text);
    }
    for (const text of ['Shadow 7\u202f%', '1,000\u202ftok/s', '5.0\u202fJ', '94\u202f% of 32', '0.012'])
      expect(shadow).toContain(text);
    expect(block).toContain('Failed');
    const speed = within(screen.getByTestId('figure-bars')).getByText('Prompt speed').parentElement;
    const fills = [...(speed?.querySelectorAll<HTMLElement>('.bars-fill') ?? [])];
    expect(fills.map((fill) => fill.style.getPropertyValue('--share'))).toEqual(['0.5', '1']);
    const answers = screen.getAllByTestId('compare-answer');
    expect([...(answers[1]?.querySelectorAll('mark') ?? [])].map((mark) => mark.textContent)).toEqual(['wide and ']);
    expect(answers[1]?.textContent).toContain('2 of 6 words differ');
    expect(answers[2]?.textContent).toContain('It broke.');
  });

  it('is exported and deleted, and an older one is read when it is chosen', async () => {
    const { main, settle, comparison } = await begun();
    main.emit({ type: 'comparison', comparison: { ...comparison, state: 'complete', rows: rowsOf(comparison) } });
    main.handlers['compare.export'] = () => 'out.html';
    await settle();
    await click(screen.getByRole('button', { name: 'Export, delete' }));
    await click(screen.getByRole('menuitem', { name: 'Report (HTML)' }));
    await settle();
    expect(screen.getByText('Exported to “out.html”.')).toBeDefined();
    await click(screen.getByRole('button', { name: 'New comparison' }));
    expect(screen.getByTestId('compare-start')).toBeDefined();
    await change(screen.getByLabelText('Kept comparisons'), comparison.id);
    await settle();
    await click(screen.getByRole('button', { name: 'Export, delete' }));
    await click(screen.getByRole('menuitem', { name: 'Delete' }));
    await click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Delete' }));
    await settle();
    expect(main.comparisons).toEqual([]);
    expect(screen.getByTestId('compare-start')).toBeDefined();
  });
});

describe('the curve', () => {
  it('tells its time beforehand, and is drawn and listed as its points come', async () => {
    const { main, settle } = await open();
    await click(screen.getByRole('radio', { name: 'Prompt length' }));
    await settle();
    expect(screen.getByTestId('curve-plan').textContent).toBe(
      '512, 1,024 tokens. About 1\u202fmin 30\u202fs, which is a guess: nothing has been measured yet.',
    );
    await click(screen.getByTestId('curve-run'));
    await settle();
    const curve = main.comparisons[0] as Curve;
    expect(screen.getByTestId('curve').textContent).toContain('Measuring Full with 512 tokens');
    const points: Curve['points'] = [
      { mode: 'full', tokens: 512, seconds: 1 },
      { mode: 'shadow', tokens: 512, seconds: 0.5 },
      { mode: 'full', tokens: 1024, seconds: 4 },
    ];
    main.emit({ type: 'comparison', comparison: { ...curve, state: 'stopped', points } });
    await settle();
    expect(screen.getByTestId('comparison-status').textContent).toBe('Stopped');
    const heights = (mode: string) =>
      [...screen.getByTestId(`curve-${mode}`).querySelectorAll('circle')].map((point) =>
        Number(point.getAttribute('cy')),
      );
    // 512 and 256 tokens a second, and 1024: twice the speed is twice as far above the axis.
    const axis = 256;
    const [slow = 0, slower = 0] = heights('full');
    const [fast = 0] = heights('shadow');
    expect((axis - slow) / (axis - slower)).toBeCloseTo(2);
    expect((axis - fast) / (axis - slow)).toBeCloseTo(2);
    expect(screen.getByTestId('curve-table').textContent).toContain('256\u202ftok/s');
  });
});
