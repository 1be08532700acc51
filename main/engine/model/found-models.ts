/**
 * Models on this machine that have not been imported: those in the app's models folder, and those that other programs keep,
 * which are used in place and never written. Walks are bounded, follow links once, and skip what cannot be read.
 */
import type { Dirent, Stats } from 'node:fs';
import { readdir, readFile, realpath, stat } from 'node:fs/promises';
import { basename, join, relative } from 'node:path';
import type { ModelOrigin } from '../../../contract/engine.ts';
import { bytesOf, CONFIG_FILE, hfFiles } from './hf-model.ts';
import { modelName } from './import-files.ts';
import { findOllamaModels } from './ollama-models.ts';

/** A .gguf file or a folder of safetensors. */
export interface FoundModel {
  path: string;
  /** What people know it by. */
  name: string;
  bytes: number;
  /** When it was last written, in milliseconds since 1970. */
  modifiedMs: number;
  origin: ModelOrigin;
}

/** A folder that a program keeps models in. */
export interface ModelFolder {
  origin: Exclude<ModelOrigin, 'elsewhere'>;
  path: string;
}

/** Folders of other programs nest by publisher, repository and quantisation. */
const DEEPEST = 6;
const MOST_FOLDERS = 5000;
const MOST_MODELS = 500;

const GGUF = /\.gguf$/i;
/** Vision parts that belong to another file. */
const PROJECTOR = /(^|[-_.])mmproj[-_.]/i;
/** All but the first part of a model in several files: the first one says why it cannot be used. */
const LATER_PART = /-(?!00001)\d{5}-of-\d{5}\.gguf$/i;
const WEIGHTS = ['model.safetensors', 'model.safetensors.index.json'];

/** Where other programs keep models, by what they document of variables and defaults. */
export function foreignFolders(env: NodeJS.ProcessEnv, home: string, platform: NodeJS.Platform): ModelFolder[] {
  const cache = platform === 'darwin' ? join(home, 'Library', 'Caches') : (env.XDG_CACHE_HOME ?? join(home, '.cache'));
  const local = env.LOCALAPPDATA ?? join(home, 'AppData', 'Local');
  const hfHome = env.HF_HOME ?? join(env.XDG_CACHE_HOME ?? join(home, '.cache'), 'huggingface');
  return [
    { origin: 'lm-studio', path: join(home, '.lmstudio', 'models') },
    { origin: 'lm-studio', path: join(home, '.cache', 'lm-studio', 'models') },
    { origin: 'llama.cpp', path: env.LLAMA_CACHE ?? join(platform === 'win32' ? local : cache, 'llama.cpp') },
    { origin: 'huggingface', path: env.HF_HUB_CACHE ?? env.HUGGINGFACE_HUB_CACHE ?? join(hfHome, 'hub') },
    { origin: 'ollama', path: env.OLLAMA_MODELS ?? join(home, '.ollama', 'models') },
    ...(platform === 'linux' ? [{ origin: 'ollama' as const, path: '/usr/share/ollama/.ollama/models' }] : []),
  ];
}

/** The models in `folders`, in their order, then by path. A model that lies in several places is there once, as the first. */
export async function findModels(folders: readonly ModelFolder[]): Promise<FoundModel[]> {
  const found: FoundModel[] = [];
  const known = new Set<string>();
  for (const folder of folders) {
    for (const model of await modelsIn(folder)) {
      const key = `${basename(model.path)} ${model.bytes}`;
      if (known.has(key)) continue;
      known.add(key);
      found.push(model);
    }
  }
  return found;
}

async function modelsIn({ origin, path }: ModelFolder): Promise<FoundModel[]> {
  switch (origin) {
    case 'ollama':
      return findOllamaModels(path);
    case 'huggingface': {
      const repositories = (await entriesOf(path)).filter(({ name }) => name.startsWith('models--'));
      const found: FoundModel[] = [];
      for (const { name } of repositories) {
        const snapshot = await newestSnapshot(join(path, name));
        if (snapshot !== undefined) found.push(...(await walk(snapshot, origin, DEEPEST)));
      }
      return found.slice(0, MOST_MODELS);
    }
    case 'folder':
      return walk(path, origin, 1);
    default:
      return walk(path, origin, DEEPEST);
  }
}

/** The commit that the branch `main` points to, else the one that was fetched last. */
async function newestSnapshot(repository: string): Promise<string | undefined> {
  const commit = await readFile(join(repository, 'refs', 'main'), 'utf8').catch(() => '');
  const folder = join(repository, 'snapshots');
  const names = (await entriesOf(folder)).map(({ name }) => name);
  if (names.includes(commit.trim())) return join(folder, commit.trim());
  const dated = await Promise.all(
    names.map(async (name) => ({ name, at: (await statOf(join(folder, name)))?.mtimeMs ?? 0 })),
  );
  const [last] = dated.sort((a, b) => b.at - a.at);
  return last && join(folder, last.name);
}

/** Models in a folder and, down to `deepest` levels, in those within. */
async function walk(root: string, origin: ModelOrigin, deepest: number): Promise<FoundModel[]> {
  const found: FoundModel[] = [];
  const visited = new Set<string>();
  const open: { dir: string; depth: number }[] = [{ dir: root, depth: 0 }];
  for (let next = open.shift(); next !== undefined; next = open.shift()) {
    const { dir, depth } = next;
    const real = await realpath(dir).catch(() => undefined);
    if (real === undefined || visited.has(real) || visited.size >= MOST_FOLDERS) continue;
    visited.add(real);
    const entries = await entriesOf(dir);
    const names = new Set(entries.map(({ name }) => name));
    // The models folder itself is nobody's model.
    const isModel = names.has(CONFIG_FILE) && WEIGHTS.some((name) => names.has(name));
    if (isModel && (depth > 0 || origin !== 'folder')) {
      const model = await folderModel(dir, origin);
      if (model !== undefined) found.push(model);
    }
    for (const entry of entries) {
      const path = join(dir, entry.name);
      if (GGUF.test(entry.name)) {
        const stats = await statOf(path);
        // In the app's own folder whatever is called a model is shown, with what is wrong with it.
        if (stats === undefined || (stats.isDirectory() && origin !== 'folder')) continue;
        if (PROJECTOR.test(entry.name) || LATER_PART.test(entry.name)) continue;
        const name = modelName(path);
        found.push({ path, name, bytes: stats.isDirectory() ? 0 : stats.size, modifiedMs: stats.mtimeMs, origin });
      } else if (depth < deepest && (entry.isDirectory() || (entry.isSymbolicLink() && (await isFolder(path))))) {
        open.push({ dir: path, depth: depth + 1 });
      }
    }
    if (found.length >= MOST_MODELS) break;
  }
  return found.slice(0, MOST_MODELS).sort((a, b) => (relative(root, a.path) < relative(root, b.path) ? -1 : 1));
}

/** A folder of safetensors; of other programs only those of language models: their caches hold all kinds. */
async function folderModel(path: string, origin: ModelOrigin): Promise<FoundModel | undefined> {
  if (origin !== 'folder') {
    const config = await readFile(join(path, CONFIG_FILE), 'utf8').catch(() => '');
    if (!/"architectures"\s*:\s*\[\s*"[A-Za-z0-9]*ForCausalLM"/.test(config)) return undefined;
  }
  // What is wrong with a broken index is said when the model is read.
  const files = await hfFiles(path).catch(() => [join(path, CONFIG_FILE)]);
  const dates = await Promise.all(files.map(async (file) => (await statOf(file))?.mtimeMs ?? 0));
  return { path, name: modelName(path), bytes: bytesOf(files), modifiedMs: Math.max(...dates), origin };
}

async function entriesOf(dir: string): Promise<Dirent[]> {
  const entries = await readdir(dir, { withFileTypes: true }).catch(() => []);
  return entries.filter(({ name }) => !name.startsWith('.')).sort((a, b) => (a.name < b.name ? -1 : 1));
}

async function isFolder(path: string): Promise<boolean> {
  return (await statOf(path))?.isDirectory() === true;
}

function statOf(path: string): Promise<Stats | undefined> {
  return stat(path).catch(() => undefined);
}
