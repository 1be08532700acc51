/** `summarize`: summarises whole documents section by section, as the app does. */
import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import path from 'node:path';
import { AppError } from '../../contract/errors.ts';
import type { SummaryOptions } from '../../contract/summaries.ts';
import { writeWhole } from '../write-whole.ts';
import { CommandLineModel } from './engine-model.ts';
import { EXIT, exitCodeFor } from './exit.ts';
import { failedFile, type MadeSummary, type SummaryProgress, summariseFile } from './file-summary.ts';
import type { Interrupt } from './interrupt.ts';
import type { OptionValues } from './options.ts';
import { note, ProgressLine, print, printError } from './output.ts';
import { readOptionsOf, withReader } from './read-documents.ts';
import { loadModel, withEngine } from './session.ts';

/**
 * With --json one object for one file, an array for several. A stop or a fault ends the work, but what is done is printed
 * or written all the same. Returns the exit code.
 */
export async function summarize(files: readonly string[], values: OptionValues, interrupt: Interrupt): Promise<number> {
  const options = summaryOptionsOf(values);
  const { out, json = false } = values;
  if (out !== undefined) await assertFolder(path.dirname(path.resolve(out)));
  return withReader((reader) =>
    withEngine(async (engine) => {
      await loadModel(engine, values, interrupt.signal);
      const model = new CommandLineModel(engine, values);
      const made: MadeSummary[] = [];
      let ending: AppError | undefined;
      for (const file of files) {
        const one = await reader
          .read(file, readOptionsOf(values, interrupt))
          .then((document) => summariseFile(file, document, options, model, progressOf(file, json), interrupt.signal))
          .catch((thrown: unknown) => {
            if (files.length === 1) throw thrown;
            return failedFile(file, AppError.from(thrown));
          });
        made.push(one);
        if (one.error) printError(one.error);
        if (!json && out === undefined) print(`${one.markdown}\n`);
        // One file that cannot be read says nothing about the others; a stop and an engine at fault do.
        if (one.error && exitCodeFor(one.error.kind) !== EXIT.input) {
          ending = one.error;
          break;
        }
      }
      const failure = ending ?? made.find((one) => one.error)?.error;
      const left = files.slice(made.length);
      if (left.length > 0) note(`Not begun: ${left.join(', ')}.`);
      made.push(...left.map((file) => failedFile(file, new AppError('cancelled', 'It was not begun.'))));
      const unwritten = await write(made, values);
      const reason = failure ?? unwritten;
      return reason === undefined ? EXIT.ok : exitCodeFor(reason.kind);
    }, values),
  );
}

/** What the options ask of a summary. */
export function summaryOptionsOf(values: OptionValues): SummaryOptions {
  return {
    style: values.style ?? 'key-points',
    length: values.length ?? 'medium',
    language: values.language ?? 'document',
    ...(values.instruction === undefined ? {} : { instruction: values.instruction }),
  };
}

/** A wrong path would otherwise show after minutes of work. Throws AppError 'bad-input'. */
async function assertFolder(folder: string): Promise<void> {
  try {
    await access(folder, constants.W_OK);
  } catch (cause) {
    throw new AppError('bad-input', `${folder} cannot be written to.`, { action: 'Choose another file.', cause });
  }
}

/** What cannot be written is printed, so that no work is lost; the reason is returned. */
async function write(made: readonly MadeSummary[], { out, json }: OptionValues): Promise<AppError | undefined> {
  const value = made.map((one) => one.json);
  const text = json
    ? `${JSON.stringify(value.length === 1 ? value[0] : value)}\n`
    : made.map((one) => one.markdown).join('\n');
  if (out === undefined) {
    if (json) print(text);
    return undefined;
  }
  try {
    await writeWhole(out, [text]);
    return undefined;
  } catch (thrown) {
    const error = AppError.from(thrown);
    printError(error);
    print(text);
    return error;
  }
}

function progressOf(file: string, quiet: boolean): SummaryProgress {
  const line = new ProgressLine();
  return {
    planned: (tokens, sections) => note(`${path.basename(file)}: ${tokens} tokens, ${sections} sections.`),
    ended: (index, of, { title, state, seconds = 0 }) => {
      line.clear();
      const how = state === 'failed' ? 'failed' : `${seconds.toFixed(1)} s`;
      note(`[${index + 1} of ${of}: ${title || 'untitled'}, ${how}]`);
    },
    prefill: (done, total) => {
      if (done >= total) line.clear();
      else if (!quiet) line.show({ stage: 'prefill', done, total });
    },
  };
}
