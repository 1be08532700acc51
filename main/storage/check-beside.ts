/** Checks the whole database in a thread of its own: a large file takes seconds, which must not hold up the window. */
import { Worker } from 'node:worker_threads';

/**
 * `script` is the bundle of check-thread.ts. Resolves to false where the file is damaged; the next opening then saves what
 * can be read. Rejects where it could not be checked.
 */
export function checkBeside(script: string, file: string): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const thread = new Worker(script, { workerData: file });
    thread.once('message', (sound: boolean) => resolve(sound));
    thread.once('error', reject);
    thread.once('exit', () => reject(new Error('The check ended without a result.')));
  });
}
