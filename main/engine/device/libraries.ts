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

/** Libraries in the folders and below them. Of two for one provider, the first in the order of folders counts. */
export function findLibraries(folders: readonly string[], machine: Machine = machineOf()): EpLibrary[] {
  const found = new Map<string, EpLibrary>();
  for (const path of folders.flatMap((folder) => filesIn(folder, machine, DEPTH))) {
    const word = FILE_NAME.exec(basename(path))?.[1];
    if (word === undefined || NOT_PROVIDERS.includes(word)) continue;
    const name = NAMES[word] ?? `${word}ExecutionProvider`;
    if (!found.has(name)) found.set(name, { name, path });
  }
  return [...found.values()];
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
