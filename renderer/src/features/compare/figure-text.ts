/** The figures of comparisons in words. */
import { type ComparedFigure, type ComparisonRow, keptEveryKey } from '../../../../contract/compare.ts';
import { formatBytes, formatPercent, formatSeconds, formatSpeed } from '../../format.ts';
import { strings } from '../../strings.ts';

/** @param value as `comparedFigures` gives it */
export function figureText(key: ComparedFigure, value: number, { figures, agreement }: ComparisonRow): string {
  const words = strings.compare;
  switch (key) {
    case 'firstToken':
      return formatSeconds(value / 1000);
    case 'prefill':
    case 'decode':
      return formatSpeed(value);
    case 'memory':
      return formatBytes(value);
    case 'energy':
      return words.joules(value, figures?.energy?.sensor ?? 'counter');
    case 'top1':
      return words.ofTokens(formatPercent(value), agreement?.tokens ?? 0);
    case 'kl':
      return value < 0.00005 ? '0' : value.toPrecision(2);
  }
}

/** Why a figure of a row that is done is not there. @param first whether it is that of full attention */
export function missingText(key: ComparedFigure, first: boolean): string {
  const words = strings.compare;
  if (key === 'energy') return words.notReported;
  return first && (key === 'top1' || key === 'kl') ? words.reference : words.notMeasured;
}

/** What is worth saying of how a row attended; empty where nothing is. */
export function rowNote({ figures }: ComparisonRow): string {
  return figures !== undefined && keptEveryKey(figures) ? strings.compare.keptEvery : '';
}

/** The attention as it was used where that is known, as it was asked for where not. */
export function rowName({ variant: { attention, onProcessor = false } }: ComparisonRow): string {
  return strings.compare.variant(attention, onProcessor);
}
