/** `npm start`: sets up what is missing, then opens the app's window. */
import { spawn } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { nodeBuild, rendererBuild } from './setup/app-build.mjs';
import { dependencies } from './setup/dependencies.mjs';
import { electron, findElectron } from './setup/electron.mjs';
import { model } from './setup/model.mjs';
import { native } from './setup/native.mjs';
import { nodeVersion } from './setup/node-version.mjs';
import { ROOT } from './setup/paths.mjs';
import { print, setUp } from './setup/steps.mjs';
import { electronLibraries, hasDisplay } from './setup/system-packages.mjs';

const HELP = `npm start [-- OPTIONS]

Opens ShadowNPU. The first start installs and builds what it needs (a few minutes); later ones take a second.

Options
  --help                   show this text
  --setup-only             do the set-up, don't open the window
  --user-data-dir=FOLDER   keep chats and settings in another folder
  Other options go to Electron as they are (for instance --no-sandbox).

Environment
  SHADOWNPU_HOME               folder for models and imported models
  HTTPS_PROXY, NO_PROXY        proxy for downloads
  ELECTRON_MIRROR              other place to download Electron from
  ELECTRON_OVERRIDE_DIST_PATH  folder of an unpacked Electron to use instead

Without a display: npm run cli -- ask "your question"
Tests: npm test`;

const args = process.argv.slice(2);
if (args.includes('--help') || args.includes('-h')) {
  console.log(HELP);
} else {
  process.exitCode = await start(args);
}

/**
 * @param {string[]} args
 * @returns {Promise<number>} exit code
 */
async function start(args) {
  const setupOnly = args.includes('--setup-only');
  if (!setupOnly && !hasDisplay(process.env)) {
    print('There is no display: neither DISPLAY nor WAYLAND_DISPLAY is set, so no window can be opened.');
    print('What to do: use the command line instead, npm run cli -- ask "your question"');
    return 1;
  }
  const program = () => electronFile().file;
  const steps = [
    nodeVersion,
    dependencies,
    native,
    electron,
    electronLibraries(program),
    model,
    nodeBuild,
    rendererBuild,
  ];
  if (!(await setUp(steps))) return 1;
  if (setupOnly) {
    print('Everything is set up. Start the app with npm start.');
    return 0;
  }
  return runApp(args);
}

/** @returns {import('./setup/electron.mjs').Electron} */
function electronFile() {
  const found = findElectron();
  if (found === undefined) throw new Error('Electron is not installed although its step went well');
  return found;
}

/**
 * @param {string[]} args
 * @returns {Promise<number>} the app's exit code
 */
function runApp(args) {
  const { file, version, dist } = electronFile();
  const wanted = JSON.parse(readFileSync(join(ROOT, 'node_modules', 'electron', 'package.json'), 'utf8')).version;
  if (dist !== undefined && version !== wanted) {
    print(`Note: this runs on Electron ${version}; the intended version is ${wanted}, which could not be downloaded.`);
  }
  const switches = args.includes('--no-sandbox') ? [] : sandboxSwitches(file);
  // `ELECTRON_RUN_AS_NODE` would turn Electron into a plain Node without a window.
  const { ELECTRON_RUN_AS_NODE: _, ...env } = process.env;
  const child = spawn(file, [...switches, ROOT, ...args], { stdio: 'inherit', env });
  // Ctrl+C reaches the app by itself; waiting here lets it close its engine first.
  for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM'])) {
    process.on(signal, () => signal === 'SIGTERM' && child.kill(signal));
  }
  return new Promise((resolve) => {
    child.on('error', (error) => {
      print(`Electron could not be started: ${error.message}`);
      resolve(1);
    });
    child.on('close', (code, signal) => {
      if (signal !== null) print(`The app was ended by ${signal}.`);
      resolve(code ?? 1);
    });
  });
}

/**
 * Chromium's sandbox on Linux refuses to run as root, and needs either user namespaces or a helper owned by root.
 * @param {string} file Electron's program
 * @returns {string[]}
 */
function sandboxSwitches(file) {
  if (process.platform !== 'linux') return [];
  if (process.getuid?.() === 0) {
    print("Note: running as root, where Chromium's sandbox does not work; it is off (--no-sandbox).");
    return ['--no-sandbox'];
  }
  if (namespacesRestricted() && !isSetuidRoot(join(dirname(file), 'chrome-sandbox'))) {
    const helper = join(dirname(file), 'chrome-sandbox');
    print("Note: this system restricts user namespaces (AppArmor), so Chromium's sandbox needs its helper once:");
    print(`  sudo chown root:root '${helper}' && sudo chmod 4755 '${helper}'`);
    print('Without it the app ends at once with a message about the SUID sandbox.');
  }
  return [];
}

function namespacesRestricted() {
  try {
    return readFileSync('/proc/sys/kernel/apparmor_restrict_unprivileged_userns', 'utf8').trim() === '1';
  } catch {
    return false; // no such restriction in this kernel
  }
}

/** @param {string} file */
function isSetuidRoot(file) {
  const info = statSync(file, { throwIfNoEntry: false });
  return info !== undefined && info.uid === 0 && (info.mode & 0o4000) !== 0;
}
