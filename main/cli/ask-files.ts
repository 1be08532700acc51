/** `ask --file`: one question, answered from documents. */
import path from 'node:path';
import type { ExtractedDocument } from '../../contract/documents.ts';
import { type AskedAnswer, type AskedDocument, askDocuments } from '../documents/ask/ask.ts';
import { countBlocks } from '../documents/summarise/count.ts';
import { endEarly } from './end-early.ts';
import { CommandLineModel } from './engine-model.ts';
import { EXIT } from './exit.ts';
import { textInput } from './inputs.ts';
import type { Interrupt } from './interrupt.ts';
import type { OptionValues } from './options.ts';
import { note, print, printJson } from './output.ts';
import { readOptionsOf, withReader } from './read-documents.ts';
import { loadModel, withEngine } from './session.ts';

/** Answers from documents, with the pages that it comes from. */
export function askFiles(
  files: readonly string[],
  args: readonly string[],
  values: OptionValues,
  interrupt: Interrupt,
): Promise<number> {
  const question = textInput(args, values);
  return withReader((reader) =>
    withEngine(async (engine) => {
      const extracted: ExtractedDocument[] = [];
      for (const file of files) extracted.push(await reader.read(file, readOptionsOf(values, interrupt)));
      await loadModel(engine, values, interrupt.signal);
      const model = new CommandLineModel(engine, values);
      const documents: AskedDocument[] = [];
      for (const [index, document] of extracted.entries()) {
        const id = files[index] ?? '';
        const blocks = await countBlocks(document, model);
        documents.push({ id, name: path.basename(id), sha256: document.sha256, pages: document.pages, blocks });
      }
      let prompt = { tokens: 0, cachedTokens: 0, seconds: 0 };
      let told = '';
      let read: AskedAnswer['read'] = { sections: 0, of: 0 };
      let answer: AskedAnswer;
      try {
        answer = await askDocuments(documents, question, model, {
          signal: interrupt.signal,
          chosen: (chosen) => {
            read = chosen;
            note(`[looked at ${read.sections} of ${read.of} passages]`);
          },
          measured: ({ promptTokens, cachedTokens, prefillSeconds }) => {
            prompt = { tokens: promptTokens + cachedTokens, cachedTokens, seconds: prefillSeconds };
          },
          onPrefill: () => undefined,
          onDelta: (text) => {
            told += text;
            if (!values.json) print(text);
          },
        });
      } catch (thrown) {
        return endEarly(thrown, { text: told, points: [], read }, values);
      }
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
