/** Starts dist/engine.cjs as a plain child process, in the place of Electron's utility process. */
import { fork } from 'node:child_process';
import { constants } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { SpawnEngine } from '../engine-process.ts';

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/** @param options those of the engine; @param started is told the process id of each start */
export function spawnReal(options: object, started: (pid: number) => void = () => {}): SpawnEngine {
  return (listener) => {
    const child = fork(join(root, 'dist', 'engine.cjs'), [`--options=${JSON.stringify(options)}`], {
      execArgv: ['-r', join(root, 'main', 'testing', 'parent-port.cjs')],
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
    if (child.pid !== undefined) started(child.pid);
    child.stderr?.setEncoding('utf8').on('data', (text: string) => listener.wrote(text));
    child.on('message', (message) => listener.reported(message));
    child.on('exit', (code, signal) => listener.exited(code ?? (signal === null ? 0 : constants.signals[signal])));
    return { post: (command) => void child.send(command, () => undefined), kill: () => void child.kill() };
  };
}
