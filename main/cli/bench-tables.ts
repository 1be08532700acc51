/** Rows of the benchmarks as tables and charts for people. */
import type { AttentionRow } from '../bench/attention/figures.ts';
import type { DecodeRow } from '../bench/decode.ts';
import type { Chart } from '../bench/line-chart.ts';
import type { PrefillRow } from '../bench/prefill.ts';
import { seriesOf, spreadText } from '../bench/report.ts';

type Table = Record<string, string>[];

export function attentionTable(rows: readonly AttentionRow[]): Table {
  return rows.map((row) => ({
    keys: String(row.n),
    attention: row.name,
    'ms a head and 128 rows': spreadText(row.ms, 3),
    'times faster than full fp32': spreadText(row.vsFp32),
    'than our best dense': spreadText(row.vsBestDense),
    'extra memory MB': row.extraBytes === null ? '-' : (row.extraBytes / 2 ** 20).toFixed(1),
  }));
}

export function attentionPlots(rows: readonly AttentionRow[]): Record<string, Chart> {
  const x = { label: 'keys', log: true };
  return {
    'attention-time': {
      title: 'Attention of one head, 128 rows',
      x,
      y: { label: 'milliseconds', log: true },
      series: seriesOf(
        rows,
        (row) => row.n,
        (row) => row.ms.median,
      ),
    },
    'attention-gain': {
      title: 'Times faster than dense fp32',
      x,
      y: { label: 'ratio' },
      series: seriesOf(
        rows,
        (row) => row.n,
        (row) => row.vsFp32.median,
      ),
    },
  };
}

export function prefillTable(rows: readonly PrefillRow[]): Table {
  return rows.map((row) => ({
    tokens: String(row.tokens),
    engine: row.name,
    'first token ms': spreadText(row.firstTokenMs, 0),
    'tokens/s': spreadText(row.tokensPerSecond, 0),
    'times faster than full': spreadText(row.vsFull),
    'than llama.cpp': spreadText(row.vsLlama),
    'than llama.cpp Q4_0': spreadText(row.vsLlamaQ40),
  }));
}

export function prefillPlots(rows: readonly PrefillRow[]): Record<string, Chart> {
  return {
    prefill: {
      title: 'Prefill',
      x: { label: 'tokens of the prompt', log: true },
      y: { label: 'tokens/s' },
      series: seriesOf(
        rows,
        (row) => row.tokens,
        (row) => row.tokensPerSecond.median,
      ),
    },
  };
}

export function decodeTable(rows: readonly DecodeRow[]): Table {
  return rows.map((row) => ({
    context: String(row.context),
    engine: row.name,
    'ms a token': spreadText(row.msPerToken),
    'tokens/s': spreadText(row.tokensPerSecond, 1),
    'times faster than llama.cpp': spreadText(row.vsLlama),
    'than llama.cpp Q4_0': spreadText(row.vsLlamaQ40),
  }));
}

export function decodePlots(rows: readonly DecodeRow[]): Record<string, Chart> {
  return {
    decode: {
      title: 'Decode',
      x: { label: 'tokens of context', log: true },
      y: { label: 'tokens/s' },
      series: seriesOf(
        rows,
        (row) => row.context,
        (row) => row.tokensPerSecond.median,
      ),
    },
  };
}
