/**
 * Finds and loads the native addon and ONNX Runtime's library, in any process that runs Node: the app's engine, workers,
 * the command line, tests. Works from sources, from dist/ and from a package, where both files lie outside the archive.
 */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { AppError } from '../../contract/errors.ts';
import { phrase, said } from '../../contract/phrase.ts';
import type { NativeAddon } from './index.ts';
import { outsideArchive } from './outside-archive.ts';

const platform = `${process.platform}-${process.arch}`;
const addonPath = join('native', 'build', platform, 'shadownpu.node');
const reinstall = 'Install ShadowNPU again; in a checkout run `npm ci` and `node native/build.mjs`.';

let loaded: NativeAddon | undefined;
let versions: NativeVersions | undefined;

/** What a measurement of this machine depends on. */
export interface NativeVersions {
  ort: string;
  /** Changes with every build: the start of the addon file's SHA-256. */
  addon: string;
}

/**
 * The addon with ONNX Runtime loaded; the same object each time on a thread.
 * Throws `device-unusable` when the machine cannot load a file that is there, `internal` when a file is missing.
 */
export function loadNative(): NativeAddon {
  loaded ??= load();
  return loaded;
}

/** Loads the addon where that has not been done; throws as `loadNative` does. */
export function nativeVersions(): NativeVersions {
  if (versions === undefined) {
    const native = loadNative();
    const addonFile = find((root) => join(root, addonPath)) ?? '';
    const addon = createHash('sha256').update(readFileSync(addonFile)).digest('hex').slice(0, 16);
    // Loading again changes nothing and tells the version.
    versions = { ort: native.loadOrt(findOrt()).version, addon };
  }
  return versions;
}

function load(): NativeAddon {
  const addonFile = find((root) => join(root, addonPath));
  if (addonFile === undefined) {
    throw new AppError('internal', phrase`The native part of ShadowNPU for ${platform} is missing.`, {
      action: reinstall,
      detail: `${addonPath} is in none of: ${roots().join(', ')}`,
    });
  }
  const libraryFile = findOrt();
  try {
    // A path known only at run time, so that bundlers leave the call alone.
    const addon = createRequire(addonFile)(addonFile) as NativeAddon;
    addon.loadOrt(libraryFile);
    return addon;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new AppError('device-unusable', phrase`ShadowNPU cannot start its engine on this machine: ${reason}`, {
      action: phrase`${said(reinstall)} Linux needs glibc 2.28 or later, Windows version 10 or later.`,
      detail: `addon ${addonFile}, ONNX Runtime ${libraryFile}`,
      cause: error,
    });
  }
}

/** Folders that may hold the project or the unpacked part of a package, nearest first. */
function roots(): string[] {
  const found: string[] = [];
  for (let folder = outsideArchive(__dirname); !found.includes(folder); folder = dirname(folder)) found.push(folder);
  // Only Electron has it, and its types are not ours to import.
  const resources = (process as { resourcesPath?: string }).resourcesPath;
  if (resources !== undefined) found.push(join(resources, 'app.asar.unpacked'));
  return found;
}

function find(candidate: (root: string) => string): string | undefined {
  return roots().map(candidate).find(existsSync);
}

/** The library file that onnxruntime-node brings for this platform. */
function findOrt(): string {
  const name =
    process.platform === 'win32'
      ? 'onnxruntime.dll'
      : process.platform === 'darwin'
        ? 'libonnxruntime.1.dylib'
        : 'libonnxruntime.so.1';
  const inPackage = join('bin', 'napi-v6', process.platform, process.arch, name);
  const file = find((root) => join(root, 'node_modules', 'onnxruntime-node', inPackage));
  if (file !== undefined) return file;
  throw new AppError('internal', phrase`ONNX Runtime for ${platform} is missing.`, {
    action: reinstall,
    detail: `onnxruntime-node/${inPackage} is in no node_modules of: ${roots().join(', ')}`,
  });
}
