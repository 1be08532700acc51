/**
 * What Electron's own default_app.asar does, for an Electron taken out of a packaged app, which lacks it:
 * `electron [switches] [-r module] path/to/app [arguments]` runs that app. Electron's main process, CommonJS.
 */
const { existsSync, readFileSync } = require('node:fs');
const Module = require('node:module');
const path = require('node:path');
const { app: publicApp } = require('electron');

/** @typedef {{ setAppPath(path: string): void, setVersion(version: string): void }} UndocumentedApp */
/** @typedef {{ _load(file: string, parent: object, isMain: boolean): unknown, _resolveFilename(request: string, parent: null, isMain: boolean): string }} Loader */

// Electron and Node.js leave these out of their types, though Electron's own default app uses them.
const app = /** @type {import('electron').App & UndocumentedApp} */ (publicApp);
const loader = /** @type {Loader} */ (/** @type {unknown} */ (Module));

const { folder, preloads } = parse(process.argv.slice(1));
if (folder === undefined) {
  console.error('usage: electron [switches] [-r module] path/to/app [arguments]');
  app.exit(2);
} else {
  Object.defineProperty(process, 'defaultApp', { value: true, enumerable: true });
  for (const preload of preloads) require(preload);
  const description = path.join(folder, 'package.json');
  if (existsSync(description)) introduce(JSON.parse(readFileSync(description, 'utf8')));
  app.setAppPath(folder);
  // As the main module, as Electron itself loads an app.
  loader._load(loader._resolveFilename(folder, null, true), module, true);
}

/**
 * @param {string[]} args
 * @returns {{ folder: string | undefined, preloads: string[] }}
 */
function parse(args) {
  const preloads = [];
  let index = 0;
  for (; args[index]?.startsWith('-'); index++) {
    if (args[index] === '-r' || args[index] === '--require') preloads.push(path.resolve(args[++index] ?? ''));
  }
  const folder = args[index];
  return { folder: folder === undefined ? undefined : path.resolve(folder), preloads };
}

/** @param {{ name?: string, productName?: string, version?: string, desktopName?: string }} about */
function introduce(about) {
  if (about.version !== undefined) app.setVersion(about.version);
  const name = about.productName ?? about.name;
  if (name === undefined) return;
  app.setName(name);
  if (typeof app.setDesktopName === 'function') app.setDesktopName(about.desktopName ?? `${name}.desktop`);
}
