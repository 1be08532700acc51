/** What `--help` prints. */
import { COMMANDS, type CommandName, type CommandSpec } from './commands.ts';
import { EXIT } from './exit.ts';
import { OPTIONS } from './options.ts';

const PROGRAM = 'npm run -s cli --';

export function generalHelp(): string {
  const commands = Object.entries(COMMANDS).map(([name, { usage, summary }]): [string, string] => [
    `${name} ${usage}`.trim(),
    summary,
  ]);
  return `ShadowNPU on the command line: local language models on this machine's own chips.

Usage: ${PROGRAM} COMMAND [OPTIONS]

${table(commands)}

${PROGRAM} COMMAND --help shows a command's options.
With --json standard output holds one JSON object and nothing else; messages go to standard error.
Exit codes: ${EXIT.ok} done, ${EXIT.usage} wrong usage, ${EXIT.input} bad model or input, ${EXIT.engine} engine failure, ${EXIT.interrupted} stopped by Ctrl+C.
`;
}

export function commandHelp(name: CommandName): string {
  const command: CommandSpec = COMMANDS[name];
  const options = command.options.map((option): [string, string] => {
    const known = OPTIONS[option];
    return [`--${option}${known.takesValue ? ` ${known.value}` : ''}`, known.help];
  });
  return `${PROGRAM} ${`${name} ${command.usage}`.trim()} [OPTIONS]: ${command.summary}\n\n${table(options)}\n`;
}

function table(rows: readonly [string, string][]): string {
  const width = Math.max(...rows.map(([left]) => left.length));
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`).join('\n');
}
