/**
 * A folder of the program as the system knows it. In a package the files beside the main process lie in an archive that only
 * Electron reads through; what is loaded by the system or run as a process or thread of its own lies unpacked next to it.
 */
export function outsideArchive(folder: string): string {
  return folder.replace(/app\.asar(?=[\\/]|$)/, 'app.asar.unpacked');
}
