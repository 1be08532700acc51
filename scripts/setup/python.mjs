/** Finds Python 3 with pip: the road to packages where npm has none. */
import { SetupError } from './errors.mjs';
import { run } from './run.mjs';

const CANDIDATES = process.platform === 'win32' ? [['py', '-3'], ['python'], ['python3']] : [['python3'], ['python']];

/**
 * @param {string} purpose what it is needed for, as the end of a sentence
 * @returns {Promise<string[]>} the command and its first arguments
 * @throws {SetupError} when there is none
 */
export async function findPython(purpose) {
  for (const command of CANDIDATES) {
    const [program = '', ...first] = command;
    try {
      // Windows has a `python` that only opens the store: it fails here.
      await run(program, [...first, '-m', 'pip', '--version'], { timeoutMs: 30_000 });
      return command;
    } catch {
      // the next one
    }
  }
  throw new SetupError(
    `Python 3 with pip was not found; it is needed ${purpose}.`,
    'install Python 3 with pip (Debian and Ubuntu: apt-get install python3-pip) and run the command again.',
  );
}

/**
 * Downloads one pinned package file from the Python package index into a folder.
 * @param {string[]} python from `findPython`
 * @param {string} requirement `name==version`
 * @param {string} folder
 * @param {string[]} [more] further options of `pip download`
 */
export async function pipDownload(python, requirement, folder, more = []) {
  const [program = '', ...first] = python;
  await run(
    program,
    [
      ...first,
      '-m',
      'pip',
      'download',
      '-q',
      '--disable-pip-version-check',
      '--no-deps',
      '--only-binary=:all:',
      ...more,
      '-d',
      folder,
      requirement,
    ],
    {
      timeoutMs: 20 * 60_000,
      advice: 'check the network; behind a proxy set HTTPS_PROXY (pip reads it too). Then run the command again.',
    },
  );
}
