/** First step: the Node.js that runs this must be new enough for the tools. */
import { SetupError } from './errors.mjs';

/** Oldest Node.js that the tools of this project run on. */
const OLDEST = [20, 19, 0];

/**
 * @param {string} version as in process.versions.node
 * @returns {boolean}
 */
export function isSupportedNode(version) {
  const parts = version.split('.').map(Number);
  for (const [index, wanted] of OLDEST.entries()) {
    const part = parts[index] ?? 0;
    if (part !== wanted) return part > wanted;
  }
  return true;
}

/** @type {import('./steps.mjs').Step} */
export const nodeVersion = {
  name: 'Node.js',
  ready: () => isSupportedNode(process.versions.node),
  run: async () => {
    throw new SetupError(
      `Node.js ${process.versions.node} is too old; ${OLDEST.join('.')} or newer is needed.`,
      'install the current LTS version from https://nodejs.org and run the command again.',
    );
  },
};
