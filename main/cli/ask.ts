/** `ask`: one question, one answer; with --file from documents. */
import type { ChatTurn, GenerateResult, Prompt } from '../../contract/engine.ts';
import { askFiles } from './ask-files.ts';
import { attentionOf } from './attention.ts';
import { endEarly } from './end-early.ts';
import { EXIT } from './exit.ts';
import { textInput } from './inputs.ts';
import type { Interrupt } from './interrupt.ts';
import type { OptionValues } from './options.ts';
import { ProgressLine, print, printFigures, printJson } from './output.ts';
import { usage } from './parse.ts';
import { loadModel, samplingOf, withEngine } from './session.ts';

/** Prints the answer as it comes, or with --json its GenerateResult at the end. Returns the exit code. */
export function ask(args: readonly string[], values: OptionValues, interrupt: Interrupt): Promise<number> {
  if (values.file !== undefined) return askFiles(values.file, args, values, interrupt);
  const attention = attentionOf(values);
  const prompt = promptOf(args, values);
  return withEngine(async (engine) => {
    await loadModel(engine, values, interrupt.signal);
    const progress = new ProgressLine();
    let told = '';
    let result: GenerateResult;
    try {
      result = await engine.generate(
        { prompt, sampling: samplingOf(values), attention },
        {
          signal: interrupt.signal,
          onPrefill: (done, total) => progress.show({ stage: 'prefill', done, total }),
          onDelta: (text) => {
            progress.clear();
            told += text;
            if (!values.json) print(text);
          },
        },
      );
    } catch (thrown) {
      return endEarly(thrown, { text: told }, values);
    } finally {
      progress.clear();
    }
    if (values.json) printJson(result);
    else print(result.text.endsWith('\n') ? '' : '\n');
    printFigures(result);
    return result.finishReason === 'cancelled' ? EXIT.interrupted : EXIT.ok;
  }, values);
}

/** What is asked, by the arguments and options. Throws AppError 'usage' or 'bad-input'. */
export function promptOf(args: readonly string[], values: OptionValues): Prompt {
  if (values.raw && values.system !== undefined) {
    throw usage('--system needs the chat template, which --raw leaves out.', 'Give one of them.');
  }
  const text = textInput(args, values);
  if (values.raw) return { kind: 'raw', text };
  const turns: ChatTurn[] = [{ role: 'user', content: text }];
  if (values.system !== undefined) turns.unshift({ role: 'system', content: values.system });
  return { kind: 'chat', turns };
}
