/** Runs a program with its output in a file: Windows programs under wine cannot write into pipes. */
import { spawn } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * @param {string} program
 * @param {string[]} args
 * @param {{ env?: NodeJS.ProcessEnv, timeoutMs?: number }} [options] env replaces the environment; timeoutMs: ten minutes
 *   when absent
 * @returns {Promise<{ ok: boolean, output: string }>} output: stdout and stderr, and why it ended where it did not end well
 */
export async function runToFile(program, args, { env = process.env, timeoutMs = 600_000 } = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'shadownpu-run-'));
  const file = join(folder, 'output.txt');
  const out = openSync(file, 'w');
  try {
    const ended = await new Promise((resolve) => {
      const child = spawn(program, args, { env, stdio: ['ignore', out, out] });
      let late = false;
      const timer = setTimeout(() => {
        late = true;
        child.kill('SIGKILL');
      }, timeoutMs);
      child.on('error', (error) => resolve(error.message));
      child.on('close', (code, signal) => {
        clearTimeout(timer);
        resolve(
          late ? `ended after ${timeoutMs / 1000} s` : code === 0 ? '' : `ended with ${signal ?? `code ${code}`}`,
        );
      });
    });
    const output = readFileSync(file, 'utf8');
    return { ok: ended === '', output: ended === '' ? output : `${output}\n${ended}` };
  } finally {
    closeSync(out);
    rmSync(folder, { recursive: true, force: true });
  }
}
