/** Starts scripted-engine.mjs as a real child process, in the place of Electron's utility process. */
import { fork } from 'node:child_process';
import { constants } from 'node:os';
import { fileURLToPath } from 'node:url';
import type { ModelInfo } from '../../../contract/engine.ts';
import type { ErrorInfo } from '../../../contract/errors.ts';
import type { SpawnEngine } from '../../engine-process.ts';

export interface Script {
  models?: ModelInfo[];
  /** What it does when the app asks for a title or a note; by default nothing that is of use. */
  title?: string;
  note?: string;
  /** Characters that fit into a prompt. */
  limit?: number;
  loadError?: ErrorInfo;
  /** Exit code with which every load ends the process. */
  dieOnLoad?: number;
  calibrationMs?: number;
  /** Whether devices are there that have not been measured; they have been after the first 'measure-devices'. */
  unmeasured?: boolean;
  calibrationError?: ErrorInfo;
}

export interface Scripted {
  spawn: SpawnEngine;
  /** Process ids of all that were started, oldest first. */
  pids: number[];
}

/** `script` may change between starts. */
export function scripted(script: () => Script): Scripted {
  const pids: number[] = [];
  const spawn: SpawnEngine = (listener) => {
    const child = fork(fileURLToPath(new URL('./scripted-engine.mjs', import.meta.url)), {
      env: { ...process.env, SCRIPT: JSON.stringify(script()) },
      execArgv: [],
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
    if (child.pid !== undefined) pids.push(child.pid);
    child.stderr?.setEncoding('utf8').on('data', (text: string) => listener.wrote(text));
    child.on('message', (message) => listener.reported(message));
    child.on('exit', (code, signal) => listener.exited(code ?? (signal === null ? 0 : constants.signals[signal])));
    return {
      post: (command) => {
        if (child.connected) child.send(command, () => undefined);
      },
      kill: () => {
        child.kill();
      },
    };
  };
  return { spawn, pids };
}

export function model(id: string, more: Partial<ModelInfo> = {}): ModelInfo {
  return {
    id,
    name: id,
    architecture: 'llama',
    weights: ['fast'],
    bytes: 1,
    contextTrained: 8,
    origin: 'folder',
    ...more,
  };
}
