/** Where the scripts find the project and keep what they fetch. */
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder that holds package.json. */
export const ROOT = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
/** Downloads, unpacked tools and stamps; ignored by git and safe to delete. */
export const CACHE = join(ROOT, '.cache');
/** Bundles made by scripts/build.mjs. */
export const DIST = join(ROOT, 'dist');
