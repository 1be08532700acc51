/** Runs a program for a set-up step: quiet while it goes well, its last lines when it fails. */
import { spawn } from 'node:child_process';
import { SetupError } from './errors.mjs';

const TAIL_LINES = 15;

/**
 * @typedef {object} RunOptions
 * @property {string} [cwd]
 * @property {NodeJS.ProcessEnv} [env] replaces the environment
 * @property {number} [timeoutMs] the program is ended after this long
 * @property {string} [advice] what to do when it fails
 * @property {(line: string) => void} [onLine] gets each line of both outputs as it comes
 */

/**
 * Resolves with everything the program wrote to stdout.
 * @param {string} command
 * @param {string[]} args
 * @param {RunOptions} [options]
 * @returns {Promise<string>}
 * @throws {SetupError} when the program is missing, fails or takes too long
 */
export function run(command, args, options = {}) {
  const { advice = 'Read the lines above, then run the command again.', onLine, timeoutMs } = options;
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      stdio: ['ignore', 'pipe', 'pipe'],
      windowsHide: true,
      ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
      ...(options.env === undefined ? {} : { env: options.env }),
    });
    /** @type {string[]} */
    const tail = [];
    let stdout = '';
    let timedOut = false;
    const timer =
      timeoutMs === undefined
        ? undefined
        : setTimeout(() => {
            timedOut = true;
            child.kill('SIGKILL');
          }, timeoutMs);

    /** @param {import('node:stream').Readable} stream @param {boolean} kept */
    const follow = (stream, kept) => {
      let rest = '';
      stream.setEncoding('utf8');
      stream.on('data', (/** @type {string} */ chunk) => {
        if (kept) stdout += chunk;
        const lines = (rest + chunk).split(/\r?\n|\r/);
        rest = lines.pop() ?? '';
        for (const line of lines) take(line);
      });
      stream.on('end', () => take(rest));
    };
    /** @param {string} line */
    const take = (line) => {
      if (line.trim() === '') return;
      tail.push(line);
      if (tail.length > TAIL_LINES) tail.shift();
      onLine?.(line);
    };
    follow(child.stdout, true);
    follow(child.stderr, false);

    child.on('error', (error) => {
      clearTimeout(timer);
      reject(new SetupError(`${command} could not be started: ${error.message}`, advice, error));
    });
    child.on('close', (code, signal) => {
      clearTimeout(timer);
      if (code === 0) return resolve(stdout);
      const how = timedOut
        ? `did not finish within ${Math.round((timeoutMs ?? 0) / 1000)} s`
        : `ended with ${signal ?? `exit code ${code}`}`;
      const words = tail.length === 0 ? '' : `\n${tail.map((line) => `    ${line}`).join('\n')}`;
      reject(new SetupError(`${[command, ...args].join(' ').slice(0, 200)} ${how}${words}`, advice));
    });
  });
}
