/** `compare`: one prompt with several kinds of attention, full attention first. */
import { type ComparisonRow, keptEveryKey, type Variant } from '../../contract/compare.ts';
import { runVariants, waitingRow } from '../compare/core/run.ts';
import { FULL, parseConfiguration, shipped } from '../engine/eval/configurations.ts';
import { promptOf } from './ask.ts';
import { EXIT, exitCodeFor } from './exit.ts';
import type { Interrupt } from './interrupt.ts';
import type { OptionValues } from './options.ts';
import { note, ProgressLine, print, printJson } from './output.ts';
import { loadModel, withEngine } from './session.ts';

/** Tokens of each answer where nobody asks for another number. */
const TOKENS = 64;

/** Prints a line for each kind as it ends, or with --json {rows} at the end. Returns the exit code. */
export function compare(args: readonly string[], values: OptionValues, { signal }: Interrupt): Promise<number> {
  const prompt = promptOf(args, values);
  const maxTokens = values['max-tokens'] ?? TOKENS;
  const asked = [...(values.mode ?? []).map(shipped), ...(values.config ?? []).map(parseConfiguration)];
  const others = (asked.length === 0 ? [shipped('shadow'), shipped('block')] : asked).filter(
    ({ options }) => options.mode !== 'full',
  );
  const kinds = [FULL, ...others];
  return withEngine(async (engine) => {
    await loadModel(engine, values, signal);
    const variants: Variant[] = kinds.map(({ options }) => ({ attention: options }));
    const rows = variants.map(waitingRow);
    const progress = new ProgressLine();
    const onPrefill = (done: number, total: number) => progress.show({ stage: 'prefill', done, total });
    await runVariants({
      variants,
      attempt: async ({ attention }, index, full) => {
        const trial = await engine.trial({ prompt, attention, maxTokens }, { signal, onPrefill });
        progress.clear();
        const answer = index === 0 ? trial.result.tokenIds : full;
        if (answer === undefined || trial.result.finishReason === 'cancelled') return trial;
        return { ...trial, agreement: await engine.agreement({ prompt, attention, answer }, { signal }) };
      },
      changed: (index, row) => {
        rows[index] = row;
        if (row.state !== 'running' && !values.json) print(lineOf(kinds[index]?.name ?? '', row));
      },
      signal,
    });
    if (values.json) printJson({ rows });
    const failed = rows.find(({ state }) => state === 'failed');
    if (failed?.error !== undefined) note(`Error: ${failed.error.message}`);
    if (signal.aborted) return EXIT.interrupted;
    return failed?.error === undefined ? EXIT.ok : exitCodeFor(failed.error.kind);
  }, values);
}

function lineOf(name: string, { state, figures, peakBytes = 0, agreement }: ComparisonRow): string {
  if (figures === undefined) return `${name}: ${state}\n`;
  const near =
    agreement === undefined
      ? ''
      : `; ${(100 * agreement.top1).toFixed(1)} % of ${agreement.tokens} next tokens as full, KL ${agreement.kl.toPrecision(2)}`;
  const { firstTokenMs, prefill, decode } = figures;
  const dense = keptEveryKey(figures) ? '; kept every key, for choosing among so few takes longer' : '';
  return (
    `${name}: first token after ${(firstTokenMs / 1000).toFixed(2)} s, prompt ${prefill.tokensPerSecond.toFixed(0)}/s, ` +
    `answer ${decode.tokensPerSecond.toFixed(1)}/s, ${Math.round(peakBytes / 1e6)} MB${near}${dense}\n`
  );
}
