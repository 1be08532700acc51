/** Answers one prompt in several ways, one after another, full attention first. Shared by the app and the command line. */
import type { ComparisonRow, Variant } from '../../../contract/compare.ts';
import type { Agreement, Trial } from '../../../contract/engine.ts';
import { AppError } from '../../../contract/errors.ts';

export interface Attempt extends Trial {
  agreement?: Agreement | undefined;
}

export interface Run {
  /** Full attention first. */
  variants: readonly Variant[];
  /**
   * Answers in one way and compares with `full`: the tokens of full attention's answer, undefined where that is what is to be
   * made, or has failed. Rejects with AppError.
   */
  attempt: (variant: Variant, index: number, full: readonly number[] | undefined) => Promise<Attempt>;
  /** A row began or ended. */
  changed: (index: number, row: ComparisonRow) => void;
  signal: AbortSignal;
}

export function waitingRow(variant: Variant): ComparisonRow {
  return { variant, state: 'waiting', text: '' };
}

/** Never rejects: what goes wrong in a row is told in it, and the others are run all the same. */
export async function runVariants({ variants, attempt, changed, signal }: Run): Promise<void> {
  let full: readonly number[] | undefined;
  for (const [index, variant] of variants.entries()) {
    const row = waitingRow(variant);
    if (!signal.aborted) changed(index, { ...row, state: 'running' });
    const ended: ComparisonRow = signal.aborted
      ? { ...row, state: 'stopped' }
      : await attempt(variant, index, full).then(
          (made) => {
            if (index === 0) full = made.result.tokenIds;
            return rowOf(variant, made);
          },
          (error) => failedRow(variant, AppError.from(error)),
        );
    changed(index, ended);
  }
}

function rowOf(variant: Variant, { result, peakBytes, agreement }: Attempt): ComparisonRow {
  const { text, tokenIds: _, ...figures } = result;
  if (figures.finishReason === 'cancelled') return { variant, state: 'stopped', text };
  return { variant, state: 'done', text, figures, peakBytes, ...(agreement === undefined ? {} : { agreement }) };
}

function failedRow(variant: Variant, error: AppError): ComparisonRow {
  if (error.kind === 'cancelled') return { variant, state: 'stopped', text: '' };
  const { detail: _, ...info } = error.toInfo();
  return { variant, state: 'failed', text: '', error: info };
}
