/** `trace`: one question, and a file that tells what ran when while its prompt was computed. */
import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { TracedAnswer } from '../../contract/engine.ts';
import { AppError } from '../../contract/errors.ts';
import { toTraceFile } from '../../contract/trace-file.ts';
import { promptOf } from './ask.ts';
import { attentionOf } from './attention.ts';
import { EXIT } from './exit.ts';
import type { Interrupt } from './interrupt.ts';
import type { OptionValues } from './options.ts';
import { note, ProgressLine, print, printFigures, printJson } from './output.ts';
import { usage } from './parse.ts';
import { loadModel, samplingOf, withEngine } from './session.ts';

/** Tokens that are generated where nobody asks for more: the trace is about the prompt. */
const TOKENS = 16;

/** Writes the trace and prints its figures, or with --json {file, figures}. Returns the exit code. */
export function trace(args: readonly string[], values: OptionValues, { signal }: Interrupt): Promise<number> {
  if (values.out === undefined) throw usage('The file for the trace is missing.', 'Give --out FILE.');
  const file = resolve(values.out);
  const attention = attentionOf(values);
  const prompt = promptOf(args, values);
  const sampling = samplingOf({ ...values, 'max-tokens': values['max-tokens'] ?? TOKENS });
  return withEngine(async (engine) => {
    await loadModel(engine, values, signal);
    const progress = new ProgressLine();
    const onPrefill = (done: number, total: number) => progress.show({ stage: 'prefill', done, total });
    const result = await engine.generate({ prompt, sampling, attention }, { signal, onPrefill });
    progress.clear();
    const traced = engine.trace();
    if (traced === undefined || result.finishReason === 'cancelled') return EXIT.interrupted;
    write(file, traced);
    if (values.json) printJson({ file, figures: traced.figures });
    else print(`${file}\n`);
    const { dropped } = traced.trace;
    if (dropped > 0) note(`The prompt was longer than what is kept: the ${dropped} oldest spans are missing.`);
    printFigures(result);
    return EXIT.ok;
  }, values);
}

function write(file: string, traced: TracedAnswer): void {
  try {
    writeFileSync(file, JSON.stringify(toTraceFile(traced)));
  } catch (error) {
    throw new AppError('bad-input', `${file} could not be written: ${error instanceof Error ? error.message : error}`, {
      action: 'Choose another file.',
    });
  }
}
