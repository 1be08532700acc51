/** Reads what commands are given: prompts, files, messages, standard input. */
import { readFileSync } from 'node:fs';
import * as v from 'valibot';
import { ChatTurn } from '../../contract/engine.ts';
import { AppError } from '../../contract/errors.ts';
import type { OptionValues } from './options.ts';
import { usage } from './parse.ts';

const STANDARD_INPUT = 0;
const Turns = v.pipe(v.array(ChatTurn), v.minLength(1));
const Messages = v.union([Turns, v.object({ messages: Turns })]);

/** The text of `ask` and `tokenize`: the argument or `--prompt-file`, and exactly one of them. */
export function textInput(args: readonly string[], values: OptionValues): string {
  const [text] = args;
  const file = values['prompt-file'];
  if (text !== undefined && file !== undefined) throw usage('Give either a text or --prompt-file, not both.');
  if (text !== undefined) return text;
  if (file !== undefined) return readText(file);
  throw usage('A text is missing.', 'Give it in quotes, or --prompt-file FILE (- is standard input).');
}

/** Turns from a JSON file: a list, or an object with `messages`. Throws AppError 'bad-input' saying what does not fit. */
export function messagesInput(file: string): ChatTurn[] {
  let json: unknown;
  try {
    json = JSON.parse(readText(file));
  } catch (error) {
    if (error instanceof AppError) throw error;
    throw new AppError('bad-input', `${nameOf(file)} is not JSON: ${error instanceof Error ? error.message : error}`);
  }
  const parsed = v.safeParse(Messages, json);
  if (!parsed.success) {
    throw new AppError('bad-input', `${nameOf(file)} holds no messages: ${problemOf(json)}.`, {
      action: 'Write [{"role": "user", "content": "..."}, ...] with the roles system, user and assistant.',
    });
  }
  return Array.isArray(parsed.output) ? parsed.output : parsed.output.messages;
}

function problemOf(json: unknown): string {
  const list: unknown = typeof json === 'object' && json !== null && 'messages' in json ? json.messages : json;
  const parsed = v.safeParse(Turns, list);
  const [issue] = parsed.issues ?? [];
  if (!issue) return 'the form is another';
  const path = v.getDotPath(issue);
  return path === null ? issue.message : `${path}: ${issue.message}`;
}

/** A file's text, UTF-8 with or without a byte order mark. Throws AppError 'bad-input'. */
export function readText(file: string): string {
  let bytes: Buffer;
  try {
    bytes = readFileSync(file === '-' ? STANDARD_INPUT : file);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new AppError('bad-input', `${nameOf(file)} cannot be read: ${why}`, { cause: error });
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    throw new AppError('bad-input', `${nameOf(file)} is not UTF-8 text.`, {
      action: 'Save it as UTF-8.',
      cause: error,
    });
  }
}

function nameOf(file: string): string {
  return file === '-' ? 'Standard input' : file;
}
