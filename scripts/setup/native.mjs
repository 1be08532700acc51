/** Builds the native addon for this machine. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { reasonOf, SetupError } from './errors.mjs';
import { CACHE, ROOT } from './paths.mjs';
import { fingerprint, readStamp, writeStamp } from './stamp.mjs';

const STAMP = join(CACHE, 'native.json');
const ADDON = join(ROOT, 'native', 'build', `${process.platform}-${process.arch}`, 'shadownpu.node');

const sources = () =>
  fingerprint(ROOT, ['native/src', 'native/build.mjs', 'native/toolchain.mjs', 'package-lock.json']);

/** @type {import('./steps.mjs').Step} */
export const native = {
  name: 'native addon',
  ready: () => existsSync(ADDON) && readStamp(STAMP)?.sources === sources(),
  run: async (say) => {
    const before = sources();
    try {
      const { buildNative } = await import('../../native/build.mjs');
      await buildNative({ onLog: say });
    } catch (error) {
      throw new SetupError(
        reasonOf(error),
        'read the lines above. The addon is built by clang++ or, where there is none, by the PyPI package ziglang, which needs Python 3 with pip; without either by g++.',
        error,
      );
    }
    if (!existsSync(ADDON)) throw new Error(`the build ended well but ${ADDON} is not there`);
    writeStamp(STAMP, { sources: before });
  },
};
