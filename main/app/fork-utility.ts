/** Starts a bundle as a utility process of Electron: plain Node, a life of its own, its own name in task managers. */
import { utilityProcess } from 'electron';

/** What the process tells. `exited` comes once, last; what it writes to stderr is dropped where nobody listens. */
interface UtilityListener {
  reported(message: unknown): void;
  wrote?(errorOutput: string): void;
  exited(code: number): void;
}

/** `name` is also its name in `app.getAppMetrics()`. */
export function forkUtility(bundle: string, args: string[], name: string, listener: UtilityListener) {
  const child = utilityProcess.fork(bundle, args, {
    serviceName: name,
    stdio: ['ignore', 'ignore', listener.wrote === undefined ? 'ignore' : 'pipe'],
  });
  child.stderr?.setEncoding('utf8');
  child.stderr?.on('data', (text: string) => listener.wrote?.(text));
  child.on('message', (message: unknown) => listener.reported(message));
  child.once('exit', (code) => listener.exited(code));
  return {
    post: (command: unknown) => child.postMessage(command),
    kill: () => void child.kill(),
  };
}
