/** `ask`: one question, one answer; with --file from documents. */
import path from 'node:path';
import type { ExtractedDocument } from '../../contract/documents.ts';
import type { ChatTurn, Prompt } from '../../contract/engine.ts';
import { type AskedDocument, askDocuments } from '../documents/ask/ask.ts';
import { countBlocks } from '../documents/summarise/count.ts';
import { attentionOf } from './attention.ts';
import { CommandLineModel } from './engine-model.ts';
import { EXIT } from './exit.ts';
import { textInput } from './inputs.ts';
import type { Interrupt } from './interrupt.ts';
import type { OptionValues } from './options.ts';
import { note, ProgressLine, print, printFigures, printJson } from './output.ts';
import { usage } from './parse.ts';
import { withReader } from './read-documents.ts';
import { loadModel, samplingOf, withEngine } from './session.ts';

/** Prints the answer as it comes, or with --json its GenerateResult at the end. Returns the exit code. */
export function ask(args: readonly string[], values: OptionValues, interrupt: Interrupt): Promise<number> {
  if (values.file !== undefined) return askFiles(values.file, args, values, interrupt);
  const attention = attentionOf(values);
  const prompt = promptOf(args, values);
  return withEngine(async (engine) => {
    await loadModel(engine, values, interrupt.signal);
    const progress = new ProgressLine();
    const result = await engine.generate(
      { prompt, sampling: samplingOf(values), attention },
      {
        signal: interrupt.signal,
        onPrefill: (done, total) => progress.show({ stage: 'prefill', done, total }),
        onDelta: (text) => {
          progress.clear();
          if (!values.json) print(text);
        },
      },
    );
    progress.clear();
    if (values.json) printJson(result);
    else print(result.text.endsWith('\n') ? '' : '\n');
    printFigures(result);
    return result.finishReason === 'cancelled' ? EXIT.interrupted : EXIT.ok;
  }, values);
}

/** Answers from documents, with the pages that it comes from. */
function askFiles(
  files: readonly string[],
  args: readonly string[],
  values: OptionValues,
  interrupt: Interrupt,
): Promise<number> {
  const question = textInput(args, values);
  return withReader((reader) =>
    withEngine(async (engine) => {
      const read: ExtractedDocument[] = [];
      for (const file of files) {
        const password = values.password === undefined ? {} : { password: values.password };
        read.push(await reader.read(file, { signal: interrupt.signal, ...password }));
      }
      await loadModel(engine, values, interrupt.signal);
      const model = new CommandLineModel(engine, values);
      const documents: AskedDocument[] = [];
      for (const [index, document] of read.entries()) {
        const id = files[index] ?? '';
        const blocks = await countBlocks(document, model);
        documents.push({ id, name: path.basename(id), sha256: document.sha256, pages: document.pages, blocks });
      }
      let prompt = { tokens: 0, cachedTokens: 0, seconds: 0 };
      const answer = await askDocuments(documents, question, model, {
        signal: interrupt.signal,
        chosen: ({ sections, of }) => note(`[looked at ${sections} of ${of} passages]`),
        measured: ({ promptTokens, cachedTokens, prefillSeconds }) => {
          prompt = { tokens: promptTokens + cachedTokens, cachedTokens, seconds: prefillSeconds };
        },
        onPrefill: () => undefined,
        onDelta: (text) => {
          if (!values.json) print(text);
        },
      });
      if (values.json) printJson({ ...answer, prompt });
      else {
        print('\n');
        note(`[${prompt.tokens} prompt tokens, ${prompt.cachedTokens} kept; read in ${prompt.seconds.toFixed(1)} s]`);
        for (const { text, citations } of answer.points) {
          for (const { documentId, page, label } of citations) {
            note(`[${path.basename(documentId)}, ${label ?? page}: ${text}]`);
          }
        }
      }
      return EXIT.ok;
    }, values),
  );
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
