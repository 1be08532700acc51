/** Finds execution provider libraries in folders by their file names. */
import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { installedFolder } from '../paths.ts';
import { type Machine, machineOf } from './machine.ts';

export interface EpLibrary {
  /** What it is registered as; the devices of QNN come only under exactly its own name. */
  name: string;
  path: string;
}

/** `onnxruntime_providers_qnn.dll`, `libonnxruntime_providers_openvino_plugin.so`, `onnxruntime_vitisai_ep.dll`, ... */
const FILE_NAME = /^(?:lib)?onnxruntime_(?:providers_)?(\w+?)(?:_plugin|_ep)?\.(?:so|dll|dylib)$/;
/** Parts of ONNX Runtime itself that are named alike. */
const NOT_PROVIDERS = ['shared', 'binding'];
const NAMES: Readonly<Record<string, string>> = {
  qnn: 'QNNExecutionProvider',
  openvino: 'OpenVINOExecutionProvider',
  vitisai: 'VitisAIExecutionProvider',
};
/** Folders of packages lie at most this deep. */
const DEPTH = 3;

/** The folder of the libraries that came with the app or by `npm run providers`, where there is one. */
export function ownLibraryFolder({ platform, arch }: Machine = machineOf()): string | undefined {
  return installedFolder(join('providers', `${platform}-${arch}`));
}

/** Libraries in the folders and below them, in the order of folders; there may be several for one provider. */
export function findLibraries(folders: readonly string[], machine: Machine = machineOf()): EpLibrary[] {
  const files = folders.flatMap((folder) => filesIn(folder, machine, DEPTH));
  return files.flatMap((path) => {
    const word = FILE_NAME.exec(basename(path))?.[1];
    if (word === undefined || NOT_PROVIDERS.includes(word)) return [];
    return [{ name: NAMES[word] ?? `${word}ExecutionProvider`, path }];
  });
}

function filesIn(folder: string, machine: Machine, depth: number): string[] {
  let all: { name: string; isDirectory(): boolean }[];
  try {
    all = readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
  const sorted = [...all].sort((a, b) => (a.name < b.name ? -1 : 1));
  return sorted.flatMap((entry) => {
    if (!entry.isDirectory()) return [join(folder, entry.name)];
    return depth > 0 && isFor(entry.name, machine) ? filesIn(join(folder, entry.name), machine, depth - 1) : [];
  });
}

/** Qualcomm's package for Windows x64 has two sets: for x64 machines, and for x64 programs on ARM64 machines. */
function isFor(folder: string, { processorArch }: Machine): boolean {
  if (folder === 'amd64') return processorArch === 'x64';
  if (folder === 'arm64ec') return processorArch === 'arm64';
  return true;
}
