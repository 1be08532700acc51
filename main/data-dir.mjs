/**
 * Where this product keeps its data: models/ (GGUF files), bundles/ (imported models), chats and settings.
 * Used by the app, the command line, the tests and the set-up scripts, hence plain JavaScript on Node built-ins.
 */
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';

/**
 * The data folder as an absolute path; it need not exist yet. SHADOWNPU_HOME wins; otherwise the place where the
 * operating system wants such data.
 * @param {NodeJS.ProcessEnv} [env]
 * @param {NodeJS.Platform} [platform]
 * @returns {string}
 */
export function dataDir(env = process.env, platform = process.platform) {
  if (env.SHADOWNPU_HOME) return resolve(env.SHADOWNPU_HOME);
  if (platform === 'win32') return join(env.LOCALAPPDATA || join(homedir(), 'AppData', 'Local'), 'ShadowNPU');
  if (platform === 'darwin') return join(homedir(), 'Library', 'Application Support', 'ShadowNPU');
  return join(env.XDG_DATA_HOME || join(homedir(), '.local', 'share'), 'shadownpu');
}
