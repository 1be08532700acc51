/** The packages that there are. */

/**
 * @typedef {object} Package
 * @property {string} name what `npm run package` takes
 * @property {'linux-x64' | 'win32-x64' | 'win32-arm64'} system platform and architecture as Node names them
 * @property {'dir' | 'tar.gz' | 'AppImage' | 'nsis'} target electron-builder's name of the form
 * @property {string} file end of its name in release/
 */

/** @type {Package[]} */
const PACKAGES = [
  { name: 'linux-dir', system: 'linux-x64', target: 'dir', file: 'linux-unpacked' },
  { name: 'linux-tar', system: 'linux-x64', target: 'tar.gz', file: '.tar.gz' },
  { name: 'linux-appimage', system: 'linux-x64', target: 'AppImage', file: '.AppImage' },
  { name: 'windows-dir', system: 'win32-x64', target: 'dir', file: 'win-unpacked' },
  { name: 'windows-installer', system: 'win32-x64', target: 'nsis', file: '.exe' },
  { name: 'windows-arm64-dir', system: 'win32-arm64', target: 'dir', file: 'win-arm64-unpacked' },
  { name: 'windows-arm64-installer', system: 'win32-arm64', target: 'nsis', file: '.exe' },
];

export const HELP = `npm run package [-- NAMES]

Builds packages of the app into release/: those named, or all that can be built here.
Names: ${PACKAGES.map(({ name }) => name).join(', ')}`;

/**
 * @param {string[]} names none: all that a system like this one can build
 * @returns {Package[] | string} a text says what is wrong with the names
 */
export function chosen(names) {
  const unknown = names.filter((name) => !PACKAGES.some((known) => known.name === name));
  if (unknown.length > 0) return `Unknown package: ${unknown.join(', ')}\n\n${HELP}`;
  if (names.length > 0) return PACKAGES.filter(({ name }) => names.includes(name));
  // Packages for Linux need its links and access rights, which Windows does not have.
  return PACKAGES.filter(({ system }) => process.platform !== 'win32' || system.startsWith('win32'));
}
