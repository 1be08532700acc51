/** `logits`, `tokenize` and `render`: looks inside, for checks against other programs. */
import { AppError } from '../../contract/errors.ts';
import { attentionOf } from './attention.ts';
import { EXIT } from './exit.ts';
import { messagesInput, textInput } from './inputs.ts';
import type { Interrupt } from './interrupt.ts';
import type { OptionValues } from './options.ts';
import { note, print, printJson } from './output.ts';
import { usage } from './parse.ts';
import { loadModel, readTokenizer, withEngine } from './session.ts';

const TOP = 10;

/** Prints the ten likeliest tokens after `--ids` with their logits, best first. */
export function logits(values: OptionValues, interrupt: Interrupt): Promise<number> {
  const { ids } = values;
  if (ids === undefined) throw usage('--ids is missing.', 'Give token ids with commas, like --ids 1,2,3.');
  const attention = attentionOf(values);
  return withEngine(async (engine) => {
    await loadModel(engine, values, interrupt.signal);
    const all = await engine.logits(ids, attention, { signal: interrupt.signal });
    const { tokenizer } = engine.model;
    const known = all.subarray(0, tokenizer.size);
    const bad = known.findIndex((logit) => !Number.isFinite(logit));
    if (bad >= 0) throw new AppError('numeric-fault', `The logit of token ${bad} is ${known[bad]}.`);
    const top = Array.from(known, (logit, id): [number, number] => [id, logit])
      .sort((a, b) => b[1] - a[1] || a[0] - b[0])
      .slice(0, TOP);
    if (values.json) printJson({ top });
    else
      for (const [id, logit] of top) print(`${id}\t${logit.toFixed(4)}\t${JSON.stringify(tokenizer.decode([id]))}\n`);
    return EXIT.ok;
  });
}

/** Prints the ids of a text as the model reads a message: control tokens in it are text, unless --control says otherwise. */
export function tokenize(args: readonly string[], values: OptionValues): Promise<number> {
  const text = textInput(args, values);
  return withEngine(async (engine) => {
    const tokenizer = await readTokenizer(engine, values.model);
    for (const warning of tokenizer.warnings) note(`Note: ${warning}`);
    const ids = values.control
      ? tokenizer.encodeWithControl(text, { addSpecial: true })
      : tokenizer.encode(text, { addSpecial: true });
    if (values.json) printJson({ ids });
    else print(`${ids.join(' ')}\n`);
    return EXIT.ok;
  });
}

/** Prints what the chat template makes of `--messages`, a generation prompt at the end. */
export function render(values: OptionValues): Promise<number> {
  const file = values.messages;
  if (file === undefined) throw usage('--messages is missing.', 'Give a JSON file with [{"role", "content"}, ...].');
  const turns = messagesInput(file);
  return withEngine(async (engine) => {
    const text = (await readTokenizer(engine, values.model)).render(turns);
    if (values.json) printJson({ text });
    else print(text);
    return EXIT.ok;
  });
}
