/** Tells what a file that is not a readable GGUF is instead, from its first bytes: each kind is refused with its own reason. */
import type { AppError } from '../../../contract/errors.ts';
import { phrase } from '../../../contract/phrase.ts';
import { invalidModel, unsupportedModel } from './gguf-errors.ts';

export const FIRST_VERSION = 2;
export const LAST_VERSION = 3;

/** How many bytes `checkMagic` wants to see, where the file has them. */
export const MAGIC_BYTES = 512;

const DOWNLOAD_AGAIN = 'Download the .gguf file itself again.';
const OLD_FORMATS = new Map([
  ['tjgg', 'ggjt'],
  ['lmgg', 'ggml'],
  ['fmgg', 'ggmf'],
  ['algg', 'ggla'],
]);

/** Throws AppError unless `head`, the first bytes of the file, opens a little-endian GGUF of a known version; returns the version. */
export function checkMagic(path: string, head: Buffer): number {
  if (head.length === 0) throw invalidModel(path, 'the file is empty (0 bytes)', DOWNLOAD_AGAIN);
  const magic = head.toString('latin1', 0, 4);
  if (magic !== 'GGUF') throw notGguf(path, head, magic);
  if (head.length < 8)
    throw invalidModel(path, phrase`the file is cut within its first 8 bytes (file size ${head.length})`);
  const version = head.readUInt32LE(4);
  if (version >= FIRST_VERSION && version <= LAST_VERSION) return version;
  if (version === 0) throw invalidModel(path, 'the GGUF version is 0, which does not exist');
  if (version === 1) {
    throw unsupportedModel(
      path,
      'GGUF version 1, an early draft with 32-bit lengths, is not supported (versions 2 and 3 are)',
      'Get a newer conversion of this model.',
    );
  }
  const swapped = head.readUInt32BE(4);
  if ((version & 0xffff) === 0 && swapped < 0x10000) {
    throw unsupportedModel(
      path,
      phrase`the file is big-endian (its version reads ${swapped} the other way round); only little-endian files are supported`,
      'Get the little-endian version of this model.',
    );
  }
  throw unsupportedModel(
    path,
    phrase`GGUF version ${version} is newer than this program knows (versions 2 and 3 are supported)`,
    'Update this program, or get the model in GGUF version 3.',
  );
}

function notGguf(path: string, head: Buffer, magic: string): AppError {
  if (head.length < 4)
    return invalidModel(path, phrase`the file is only ${head.length} bytes long, not a model`, DOWNLOAD_AGAIN);
  const old = OLD_FORMATS.get(magic);
  if (old !== undefined) {
    return unsupportedModel(
      path,
      phrase`this is the old ${old} format of 2023, not GGUF`,
      'Get the model in GGUF format.',
    );
  }
  if (magic === 'FUGG') return unsupportedModel(path, 'the file is big-endian; only little-endian files are supported');
  const text = head
    .toString('utf8')
    .replace(/^\uFEFF/, '')
    .trimStart();
  const lower = text.toLowerCase();
  if (lower.startsWith('version https://git-lfs')) {
    return invalidModel(
      path,
      'this is a Git LFS pointer, a few lines of text that stand for the model',
      DOWNLOAD_AGAIN,
    );
  }
  if (/^<(!doctype|!--|html|head|\?xml)/.test(lower)) {
    return invalidModel(
      path,
      'this is a web page (HTML or XML), probably an error page saved under this name',
      DOWNLOAD_AGAIN,
    );
  }
  if (lower.startsWith('{') || lower.startsWith('[')) {
    return invalidModel(
      path,
      'this is JSON text, probably a server’s error message saved under this name',
      DOWNLOAD_AGAIN,
    );
  }
  if (magic === 'PK\x03\x04')
    return invalidModel(
      path,
      'this is a ZIP archive or a PyTorch file, not GGUF',
      'Unpack it, or get the GGUF version.',
    );
  if (magic.startsWith('\x1f\x8b')) return invalidModel(path, 'this is a gzip archive, not GGUF', 'Unpack it first.');
  if (head.length >= 9 && head[8] === 0x7b)
    return invalidModel(path, 'this looks like a safetensors file, not GGUF', 'Get the model in GGUF format.');
  if (head.every((byte) => byte === 0))
    return invalidModel(path, 'the file starts with zeros, as an unfinished download does', DOWNLOAD_AGAIN);
  const hex = head.toString('hex', 0, 4);
  return invalidModel(
    path,
    phrase`this is not a GGUF file: it starts with the bytes ${hex} instead of 47475546 ("GGUF")`,
  );
}
