// @vitest-environment jsdom
import { cleanup, fireEvent, render, screen, within } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { phrase } from '../../../../contract/phrase.ts';
import { setLanguage } from '../../strings.ts';
import type { AnswerResult } from './answer-figures.ts';
import { AnswerFooter } from './answer-footer.tsx';

afterEach(() => {
  cleanup();
  setLanguage('en');
});

const NPU = 'QNNExecutionProvider:NPU:0';
const result: AnswerResult = {
  promptTokens: 300,
  cachedTokens: 0,
  completionTokens: 4,
  finishReason: 'stop',
  prefill: { seconds: 0.5, tokensPerSecond: 600 },
  decode: { seconds: 0.1, tokensPerSecond: 30 },
  firstTokenMs: 520,
  attention: { mode: 'shadow', ratio: 0.07, pilotDevice: NPU },
  device: NPU,
  work: [
    { part: 'decode', device: 'CPU', launches: 364, ms: 93.4 },
    { part: 'linear', device: NPU, launches: 1093, ms: 211 },
    { part: 'topk', device: 'CPU', launches: 450, ms: 8.125 },
  ],
  deviceProblems: [{ device: NPU, part: 'decode', reason: phrase`It did not answer for ${'2.0'} seconds.` }],
  model: 'm',
  weights: 'fast',
};

it('tells who did what in a table, in the order of the work', () => {
  render(<AnswerFooter result={result} />);
  expect(screen.queryByRole('table')).toBeNull();
  fireEvent.click(screen.getByRole('button', { expanded: false }));
  const rows = within(screen.getByRole('table')).getAllByRole('row').slice(1);
  const cells = rows.map((row) =>
    within(row)
      .getAllByRole('cell')
      .map(({ textContent }) => textContent?.replaceAll('\u202f', ' ')),
  );
  expect(cells).toEqual([
    ['NPU', '1,093', '211.0 ms'],
    ['CPU', '450', '8.13 ms'],
    ['CPU', '364', '93.4 ms'],
  ]);
  expect(within(rows[0] as HTMLElement).getByRole('rowheader').textContent).toBe('Layers of the prompt');
});

it('says without being asked that a device failed', () => {
  render(<AnswerFooter result={result} />);
  const notice = screen.getByText(/NPU failed while writing the answer, so the processor took over/);
  expect(notice.textContent).toContain('It did not answer for 2.0 seconds.');
  cleanup();
  setLanguage('zh-CN');
  render(<AnswerFooter result={result} />);
  expect(screen.getByText('NPU在撰写回答时出错，已由处理器接手。它在 2.0 秒内没有响应。')).toBeTruthy();
  cleanup();
  // A driver has its own words.
  const lost = { device: NPU, part: 'linear' as const, reason: 'QNN_COMMON_ERROR_SYSTEM' };
  render(<AnswerFooter result={{ ...result, deviceProblems: [lost] }} />);
  expect(screen.getByText(/QNN_COMMON_ERROR_SYSTEM/)).toBeTruthy();
});

it('tells the energy where a sensor measured it, and none where there is none', () => {
  const text = () => screen.getByTestId('answer-footer').textContent?.replaceAll('\u202f', ' ');
  render(<AnswerFooter result={result} />);
  expect(text()).not.toMatch(/\d J/);
  cleanup();
  render(<AnswerFooter result={{ ...result, energy: { joules: 3.26, sensor: 'counter' } }} />);
  expect(text()).toContain('3.3 J');
  cleanup();
  render(<AnswerFooter result={{ ...result, energy: { joules: 41.6, sensor: 'battery' } }} />);
  expect(text()).toContain('42 J');
});

it('shows answers of earlier versions, which know nothing of work', () => {
  const { work: _, deviceProblems: __, ...earlier } = result;
  render(<AnswerFooter result={earlier} />);
  fireEvent.click(screen.getByRole('button', { expanded: false }));
  expect(screen.queryByRole('table')).toBeNull();
  expect(screen.getByTestId('answer-footer').textContent).toContain('NPU');
});
