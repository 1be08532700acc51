/** Builds dist/ when a source changed. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { buildNode, buildRenderer } from '../build.mjs';
import { reasonOf, SetupError } from './errors.mjs';
import { CACHE, DIST, ROOT } from './paths.mjs';
import { fingerprint, readStamp, writeStamp } from './stamp.mjs';

const COMMON = ['contract', 'package-lock.json', 'tsconfig.json', 'scripts/build.mjs'];

/** Tests and their data are no part of a bundle. @param {string} path */
const isSource = (path) => !path.includes('.test.') && !path.includes('/testdata');

/**
 * @param {string} name
 * @param {string} output a file of dist/ that the build makes
 * @param {string[]} folders where its sources are
 * @param {() => Promise<void>} build
 * @returns {import('./steps.mjs').Step}
 */
function buildStep(name, output, folders, build) {
  const stamp = join(CACHE, `build-${output.replaceAll('/', '-')}.json`);
  const sources = () => fingerprint(ROOT, [...COMMON, ...folders], isSource);
  return {
    name,
    ready: () => existsSync(join(DIST, output)) && readStamp(stamp)?.sources === sources(),
    run: async () => {
      const before = sources();
      try {
        await build();
      } catch (error) {
        throw new SetupError(
          reasonOf(error),
          'correct the source that is named above; `npx tsc --noEmit` shows more.',
          error,
        );
      }
      writeStamp(stamp, { sources: before });
    },
  };
}

/** dist/*.cjs: Electron's main and preload, the engine process, its workers, the CLI. */
export const nodeBuild = buildStep('program', 'cli.cjs', ['main', 'native/js'], buildNode);
/** dist/renderer: the window's page. */
export const rendererBuild = buildStep('window', 'renderer/index.html', ['renderer'], buildRenderer);
