/** Starts the parser of documents as a utility process of Electron: a file that makes it end takes nothing else along. */
import path from 'node:path';
import { utilityProcess } from 'electron';
import type { SpawnParser } from '../documents/reader.ts';

/** `dist` is the folder of the bundles, where parser.cjs lies. */
export function spawnParser(dist: string): SpawnParser {
  return (listener) => {
    const child = utilityProcess.fork(path.join(dist, 'parser.cjs'), [], {
      serviceName: 'ShadowNPU document parser',
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    child.stderr?.setEncoding('utf8');
    child.stderr?.on('data', (text: string) => listener.wrote(text));
    child.on('message', (message: unknown) => listener.reported(message));
    child.once('exit', (code) => listener.exited(code));
    return {
      post: (command) => child.postMessage(command),
      kill: () => {
        child.kill();
      },
    };
  };
}
