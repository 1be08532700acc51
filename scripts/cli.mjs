/**
 * `npm run cli -- COMMAND`: sets up what is missing, quietly and on stderr only, then runs the command-line program
 * within this process, so that its output, exit code and signals are its own.
 */
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { nodeBuild } from './setup/app-build.mjs';
import { dependencies } from './setup/dependencies.mjs';
import { model } from './setup/model.mjs';
import { native } from './setup/native.mjs';
import { nodeVersion } from './setup/node-version.mjs';
import { DIST } from './setup/paths.mjs';
import { setUp } from './setup/steps.mjs';

/** Commands that run a model: the default one unless another is named. */
const MODEL_COMMANDS = ['ask', 'chat', 'logits', 'tokenize', 'render', 'eval', 'bench'];

const [command = '', ...rest] = process.argv.slice(2);
const namesModel = rest.some((arg) => arg === '--model' || arg.startsWith('--model='));
const needsModel = MODEL_COMMANDS.includes(command) && !namesModel && !rest.includes('--help');

if (command === 'npu-compile' && process.platform === 'linux' && !rest.includes('--help')) await provideWine();

if (await setUp([nodeVersion, dependencies, native, ...(needsModel ? [model] : []), nodeBuild])) {
  createRequire(import.meta.url)(join(DIST, 'cli.cjs'));
} else {
  process.exitCode = 4;
}

/** The compilers of NPUs come for Windows: where there is wine, the command is told how Node runs in it. */
async function provideWine() {
  const { emulatorOf } = await import('./emulators/emulators.mjs');
  const wine = await emulatorOf('win32-x64', (text) => console.error(text));
  if (typeof wine === 'string' || wine.command === undefined) return;
  Object.assign(process.env, wine.environment, { SHADOWNPU_WINDOWS_NODE: JSON.stringify(wine.command) });
}
