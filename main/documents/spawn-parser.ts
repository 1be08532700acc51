/** Starts the parser as a child process of plain Node, for the command line and tests. */
import { fork } from 'node:child_process';
import { constants } from 'node:os';
import type { SpawnParser } from './reader.ts';

/** `bundle` is dist/parser.cjs; `args` as its header says. */
export function forkParser(bundle: string, args: readonly string[] = []): SpawnParser {
  return (listener) => {
    const child = fork(bundle, args, {
      env: { ...process.env, ELECTRON_RUN_AS_NODE: '1' },
      execArgv: [],
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
      serialization: 'advanced',
    });
    child.stderr?.setEncoding('utf8').on('data', (text: string) => listener.wrote(text));
    child.on('message', (message) => listener.reported(message));
    child.once('exit', (code, signal) => listener.exited(code ?? (signal === null ? 0 : constants.signals[signal])));
    return {
      post: (command) => child.send(command, () => undefined),
      kill: () => child.kill('SIGKILL'),
    };
  };
}
