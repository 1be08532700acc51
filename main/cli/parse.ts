/** The command line's words as a command with typed values. Every mistake is an AppError 'usage' that says what is allowed. */
import { parseArgs } from 'node:util';
import { AppError } from '../../contract/errors.ts';
import { COMMANDS, type CommandName, type CommandSpec, isCommand } from './commands.ts';
import { OPTIONS, type OptionName, type OptionValues } from './options.ts';

export type Request =
  | { kind: 'help'; command: CommandName | undefined }
  | { kind: 'command'; command: CommandName; args: string[]; values: OptionValues };

export function parseCommandLine(words: readonly string[]): Request {
  const [name, ...rest] = words;
  if (name === undefined) {
    throw usage('A command is missing.', `Use one of: ${Object.keys(COMMANDS).join(', ')}; or --help.`);
  }
  if (name === '--help' || name === '-h' || name === 'help') {
    const [command = ''] = rest;
    return { kind: 'help', command: isCommand(command) ? command : undefined };
  }
  if (!isCommand(name)) {
    throw usage(`There is no command "${name}".`, `Use one of: ${Object.keys(COMMANDS).join(', ')}; or --help.`);
  }
  if (rest.includes('--help') || rest.includes('-h')) return { kind: 'help', command: name };
  return { kind: 'command', command: name, ...parseRest(name, rest) };
}

function parseRest(command: CommandName, words: string[]): { args: string[]; values: OptionValues } {
  const spec: CommandSpec = COMMANDS[command];
  const config = Object.fromEntries(
    spec.options.map((name) => {
      const option = OPTIONS[name];
      return [name, { type: option.takesValue ? 'string' : 'boolean', multiple: true } as const];
    }),
  );
  const { positionals, values: given } = tokensOf(command, words, config);
  const [least, most] = spec.args;
  if (positionals.length < least || positionals.length > most) {
    const extra = positionals[most];
    throw usage(
      extra === undefined ? `"${command}" needs an argument.` : `"${extra}" is one argument too many for "${command}".`,
      `Usage: ${`${command} ${spec.usage}`.trim()}. A text with spaces goes in quotes.`,
    );
  }
  const values: Record<string, unknown> = {};
  for (const name of spec.options) {
    const texts = given[name];
    if (texts !== undefined) values[name] = readValue(name, texts);
  }
  return { args: positionals, values: values as OptionValues };
}

function tokensOf(
  command: CommandName,
  args: string[],
  options: Record<string, { type: 'string' | 'boolean'; multiple: true }>,
): { positionals: string[]; values: Record<string, (string | boolean)[] | undefined> } {
  try {
    return parseArgs({ args, options, allowPositionals: true, strict: true });
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const name = /--([\w-]+)/.exec(message)?.[1];
    const option = optionOf(command, name);
    if (name === undefined || option === undefined) {
      const known = COMMANDS[command].options.map((one) => `--${one}`).join(', ');
      throw usage(
        `"${command}" has no option ${name === undefined ? quotedOption(message) : `--${name}`}.`,
        `It has: ${known}.`,
      );
    }
    throw option.takesValue
      ? usage(`--${name} needs a value: ${option.allowed}.`, `Write --${name}=VALUE where a value begins with a dash.`)
      : usage(`--${name} takes no value.`);
  }
}

function optionOf(command: CommandName, name: string | undefined) {
  const known = (COMMANDS[command].options as readonly string[]).find((option) => option === name);
  return known === undefined ? undefined : OPTIONS[known as OptionName];
}

function readValue(name: OptionName, given: readonly (string | boolean)[]): unknown {
  const option = OPTIONS[name];
  if (!option.takesValue) return true;
  const values = given.map((text) => {
    const value: unknown = option.read(String(text));
    if (value === undefined)
      throw usage(`--${name} ${JSON.stringify(text)} is not allowed.`, `Give ${option.allowed}.`);
    return value;
  });
  return 'repeatable' in option ? values : values[values.length - 1];
}

/** The option that a message of parseArgs quotes. */
function quotedOption(message: string): string {
  return /'(-[^' ]*)/.exec(message)?.[1] ?? 'like that';
}

export function usage(message: string, action?: string): AppError {
  return new AppError('usage', message, action === undefined ? {} : { action });
}
