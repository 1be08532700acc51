/** What kind of machine a library's file is for: loaders do not always say (Linux calls such a file missing). */

const ELF = 0x464c457f;
const ELF_MACHINES: Readonly<Record<number, string>> = { 62: 'linux x64', 183: 'linux arm64' };
const PE_MACHINES: Readonly<Record<number, string>> = { 34404: 'win32 x64', 43620: 'win32 arm64' };

/** `<platform> <arch>` as in process; undefined where the file's header is none that is known here. */
export function machineOfLibrary(bytes: Uint8Array): string | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (view.byteLength < 64) return undefined;
  // e_machine of a little-endian ELF file
  if (view.getUint32(0, true) === ELF) return ELF_MACHINES[view.getUint16(18, true)];
  // "MZ", then the offset of "PE\0\0", behind which the machine stands
  const header = view.getUint16(0, true) === 0x5a4d ? view.getUint32(0x3c, true) : view.byteLength;
  return header + 6 <= view.byteLength ? PE_MACHINES[view.getUint16(header + 4, true)] : undefined;
}
