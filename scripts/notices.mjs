/**
 * Writes dist/THIRD-PARTY-NOTICES.txt: the licence texts of everybody else's work in a package. Which packages are in the
 * bundles was written down when they were built (build.mjs).
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DIST, ROOT } from './setup/paths.mjs';

export const NOTICES = join(DIST, 'THIRD-PARTY-NOTICES.txt');
const TEXTS = join(ROOT, 'resources', 'licences');
/** Not bundled but brought along as files (electron-builder.yml), or compiled into the addon. */
const BROUGHT_ALONG = [
  '@photostructure/sqlite',
  'node-gyp-build',
  'onnxruntime-node',
  'node-addon-api',
  'node-api-headers',
];
/** Packages whose file lacks the text of their licence; it is kept in resources/licences. */
const KEPT_TEXTS = { 'onnxruntime-node': ['onnxruntime/LICENSE', 'onnxruntime/ThirdPartyNotices.txt'] };
/** Code that a bundled package carries inside its own files. */
const INSIDE = [
  {
    within: 'node_modules/pdfjs-dist',
    head: 'core-js 3.47.0 (MIT), in pdfjs-dist',
    text: 'core-js/LICENSE',
  },
];
const RULE = '='.repeat(80);

const HEAD = `Third-party notices

ShadowNPU is under the Apache License 2.0 (LICENSE). It contains the work of others, under the licences below. Electron's own
notices are in LICENSE.electron.txt and LICENSES.chromium.html in this folder. SQLite, which @photostructure/sqlite contains,
is in the public domain. ONNX Runtime for Windows comes with DirectML.dll and dxil.dll by Microsoft, under Microsoft's licence
terms for them, and dxcompiler.dll, the DirectX Shader Compiler, under the University of Illinois/NCSA licence.
`;

/** Needs the bundles. */
export function writeNotices() {
  const folders = packages();
  const inside = INSIDE.filter(({ within }) => folders.includes(within));
  const texts = inside.map(({ head, text }) => `${head}\n\n${readFileSync(join(TEXTS, text), 'utf8').trim()}`);
  writeFileSync(NOTICES, [HEAD, ...folders.map(notice), ...texts].join(`\n${RULE}\n`));
}

/** @returns {string[]} folders in node_modules, relative to the project */
function packages() {
  const bundled = readdirSync(DIST).filter((name) => name.endsWith('.packages.json'));
  const folders = bundled.flatMap((name) => JSON.parse(readFileSync(join(DIST, name), 'utf8')));
  return [...new Set([...folders, ...BROUGHT_ALONG.map((name) => `node_modules/${name}`)])].sort();
}

/** @param {string} folder */
function notice(folder) {
  const { name, version, license, homepage } = JSON.parse(readFileSync(join(ROOT, folder, 'package.json'), 'utf8'));
  const texts = textsOf(folder, name);
  if (texts.length === 0) throw new Error(`${folder} brings no licence text: keep one in resources/licences`);
  return [`${name} ${version} (${license})`, ...(homepage ? [homepage] : []), '', texts.join('\n\n')].join('\n');
}

/** @param {string} folder @param {string} name @returns {string[]} */
function textsOf(folder, name) {
  const kept = Object.hasOwn(KEPT_TEXTS, name) ? KEPT_TEXTS[/** @type {keyof typeof KEPT_TEXTS} */ (name)] : undefined;
  const files = kept?.map((file) => join(TEXTS, file)) ?? licenceFiles(join(ROOT, folder));
  return files.map((file) => readFileSync(file, 'utf8').replaceAll('\r\n', '\n').trim());
}

/** @param {string} folder */
function licenceFiles(folder) {
  const names = readdirSync(folder).filter((name) => /^(licen[cs]e|copying|notice)([.-].*)?$/i.test(name));
  return names.sort().map((name) => join(folder, name));
}
