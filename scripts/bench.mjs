/** `npm run bench -- NAME [OPTIONS]`: sets up what is missing, bundles bench/NAME.ts and runs it. */
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { bundle } from './build.mjs';
import { nodeBuild } from './setup/app-build.mjs';
import { dependencies } from './setup/dependencies.mjs';
import { model } from './setup/model.mjs';
import { native } from './setup/native.mjs';
import { nodeVersion } from './setup/node-version.mjs';
import { DIST, ROOT } from './setup/paths.mjs';
import { setUp } from './setup/steps.mjs';

const [name = '', ...options] = process.argv.slice(2);
const source = join('bench', `${name}.ts`);
if (!existsSync(join(ROOT, source))) {
  const names = readdirSync(join(ROOT, 'bench'))
    .filter((file) => file.endsWith('.ts'))
    .map((file) => file.replace(/\.ts$/, ''));
  console.error(`usage: npm run bench -- NAME [OPTIONS], NAME one of: ${names.join(', ')}`);
  process.exitCode = 2;
} else if (await setUp([nodeVersion, dependencies, native, model, nodeBuild])) {
  await bundle({ [join('bench', name)]: source });
  process.exitCode =
    spawnSync(process.execPath, [join(DIST, 'bench', `${name}.cjs`), ...options], { stdio: 'inherit' }).status ?? 4;
} else {
  process.exitCode = 4;
}
