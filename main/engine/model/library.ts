/**
 * The models of this machine: .gguf files in the models folder and imported bundles. Finds, imports on first use, removes.
 * One bad file never hides the others.
 */
import { existsSync, type Stats, statSync } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import type { ModelInfo, WeightFlavour } from '../../../contract/engine.ts';
import { AppError } from '../../../contract/errors.ts';
import { type Bundle, checkFiles, openBundle, readManifest } from './bundle.ts';
import { readGguf } from './gguf.ts';
import { type ImportOptions, importModel } from './import.ts';
import { sha256File, stem } from './import-files.ts';
import type { BundleManifest } from './manifest.ts';
import { readConfig } from './read-config.ts';

const FLAVOURS: readonly WeightFlavour[] = ['exact', 'fast'];

export type EnsureOptions = Pick<ImportOptions, 'calibrate' | 'onProgress' | 'signal'>;

/** An imported model: its whole flavours, and why another one is not whole. */
interface Imported {
  id: string;
  flavours: Map<WeightFlavour, BundleManifest>;
  /** Every manifest that can be read, also of damaged flavours: they tell where the model came from. */
  known: BundleManifest[];
  problem: AppError | undefined;
}

/** A .gguf in the models folder. */
interface SourceFile {
  path: string;
  bytes: number;
}

export class ModelLibrary {
  readonly #modelsDir: string;
  readonly #bundlesDir: string;

  constructor(folders: { modelsDir: string; bundlesDir: string }) {
    this.#modelsDir = folders.modelsDir;
    this.#bundlesDir = folders.bundlesDir;
  }

  /** All models, imported ones first, by name. Files that cannot be used are there with their `problem`. */
  async list(): Promise<ModelInfo[]> {
    const sources = await this.#sources();
    const models: ModelInfo[] = [];
    for (const imported of await this.#imported()) {
      const source = sources.find((file) => isSourceOf(file, imported));
      if (source !== undefined) sources.splice(sources.indexOf(source), 1);
      models.push(await this.#importedInfo(imported, source));
    }
    for (const source of sources) models.push(await this.#sourceInfo(source, models));
    return models;
  }

  /**
   * The open bundle of `reference`, an id of `list` or the path of a .gguf file, imported first where that has not been
   * done in this flavour. Throws AppError 'model-missing' when there is no such model; else those of `importModel`.
   */
  async ensure(reference: string, weights: WeightFlavour, options: EnsureOptions): Promise<Bundle> {
    const imported = (await this.#imported()).find(({ id }) => id === reference);
    if (imported?.flavours.has(weights) === true) {
      return openBundle(join(this.#bundlesDir, reference, weights));
    }
    const path = await this.#sourcePath(reference, imported);
    const id = imported?.id ?? (await this.#idFor(path, options.signal));
    return openBundle(await importModel(path, { ...options, weights, bundlesDir: this.#bundlesDir, id }));
  }

  /** Removes a model: its bundles and its file in the models folder. Throws AppError 'model-missing'. */
  async remove(id: string): Promise<void> {
    const found = (await this.list()).find((model) => model.id === id);
    if (found === undefined) throw noSuchModel(id);
    await rm(join(this.#bundlesDir, found.id), { recursive: true, force: true, maxRetries: 3 });
    if (found.sourcePath !== undefined) await rm(found.sourcePath, { force: true });
  }

  /** Where the file of `reference` lies that is not imported in the flavour asked for. */
  async #sourcePath(reference: string, imported: Imported | undefined): Promise<string> {
    const sources = await this.#sources();
    if (imported !== undefined) {
      const source = sources.find((file) => isSourceOf(file, imported));
      if (source !== undefined) return source.path;
      const [manifest] = imported.known;
      if (imported.flavours.size === 0 && imported.problem !== undefined) throw imported.problem;
      throw new AppError(
        'model-missing',
        `"${reference}" has to be imported from ${manifest?.source.fileName ?? 'its file'} again, which is not in ${this.#modelsDir}.`,
        { action: 'Give the path of the .gguf file.' },
      );
    }
    if (looksLikePath(reference)) return resolve(reference);
    const source = sources.find((file) => slug(file.path) === reference);
    if (source !== undefined) return source.path;
    const bySuffix = (await this.list()).find((model) => model.id === reference);
    if (bySuffix?.sourcePath !== undefined) return bySuffix.sourcePath;
    throw noSuchModel(reference);
  }

  /** The id under which the file at `path` is or will be imported: its name, with a suffix where another model has that. */
  async #idFor(path: string, signal: AbortSignal | undefined): Promise<string> {
    await readGguf(path); // A file that is no model is refused before it is hashed.
    const sha256 = await sha256File(path, () => {
      if (signal?.aborted === true) throw new AppError('cancelled', 'The import was cancelled.');
    });
    const imported = await this.#imported();
    const same = imported.find(({ known }) => known.some(({ source }) => source.sha256 === sha256));
    if (same !== undefined) return same.id;
    const id = slug(path);
    // A folder whose origin nobody can tell any more gives way.
    const taken = imported.some((other) => other.id === id && other.known.length > 0);
    return taken ? `${id}-${sha256.slice(0, 8)}` : id;
  }

  async #sources(): Promise<SourceFile[]> {
    const names = (await namesIn(this.#modelsDir)).filter((name) => /\.gguf$/i.test(name));
    return names.map((name) => {
      const path = join(this.#modelsDir, name);
      return { path, bytes: statOf(path)?.size ?? 0 };
    });
  }

  async #imported(): Promise<Imported[]> {
    const ids = (await namesIn(this.#bundlesDir)).filter((name) => !name.startsWith('.'));
    return ids.map((id) => {
      const imported: Imported = { id, flavours: new Map(), known: [], problem: undefined };
      for (const weights of FLAVOURS) {
        const dir = join(this.#bundlesDir, id, weights);
        if (!existsSync(dir)) continue;
        try {
          const manifest = readManifest(dir);
          imported.known.push(manifest);
          checkFiles(dir, manifest);
          imported.flavours.set(weights, manifest);
        } catch (error) {
          imported.problem = AppError.from(error);
        }
      }
      return imported;
    });
  }

  async #importedInfo(imported: Imported, source: SourceFile | undefined): Promise<ModelInfo> {
    const { id, flavours, problem } = imported;
    const [manifest] = imported.known;
    return {
      id,
      name: manifest?.name ?? id,
      architecture: manifest?.config.architecture ?? 'unknown',
      weights: [...flavours.keys()],
      bytes: (await folderBytes(join(this.#bundlesDir, id))) + (source?.bytes ?? 0),
      contextTrained: manifest?.config.contextTrained ?? 0,
      origin: source === undefined ? 'elsewhere' : 'folder',
      ...(source === undefined ? {} : { sourcePath: source.path, sourceBytes: source.bytes }),
      // A damaged flavour is no problem while the model's file is there to import it again.
      ...(problem === undefined || source !== undefined ? {} : { problem: problem.toInfo() }),
    };
  }

  async #sourceInfo(source: SourceFile, others: readonly ModelInfo[]): Promise<ModelInfo> {
    const taken = others.some(({ id }) => id === slug(source.path));
    const id = taken
      ? `${slug(source.path)}-${(await sha256File(source.path, () => {})).slice(0, 8)}`
      : slug(source.path);
    const { path: sourcePath, bytes } = source;
    const info = { id, weights: [], bytes, origin: 'folder' as const, sourcePath, sourceBytes: bytes };
    try {
      const file = await readGguf(source.path);
      const config = readConfig(file);
      const name = stem(source.path);
      return { ...info, name, architecture: config.architecture, contextTrained: config.contextTrained };
    } catch (error) {
      const problem = AppError.from(error).toInfo();
      return { ...info, name: stem(source.path), architecture: 'unknown', contextTrained: 0, problem };
    }
  }
}

/** A model's id from its file name: lower case letters, digits, `.`, `_` and `-`. */
export function slug(path: string): string {
  const cleaned = stem(path)
    .toLowerCase()
    .replace(/[^a-z0-9._-]+/g, '-')
    .replace(/^[-._]+|[-._]+$/g, '')
    .slice(0, 80);
  return cleaned === '' ? 'model' : cleaned;
}

function isSourceOf(file: SourceFile, imported: Imported): boolean {
  // Where no manifest can be read, the name alone tells.
  if (imported.known.length === 0) return slug(file.path) === imported.id;
  return imported.known.some(({ source }) => source.fileName === basename(file.path) && source.bytes === file.bytes);
}

function looksLikePath(reference: string): boolean {
  return /\.gguf$/i.test(reference) || /[\\/]/.test(reference) || statOf(reference)?.isFile() === true;
}

function noSuchModel(reference: string): AppError {
  return new AppError('model-missing', `There is no model "${reference}".`, {
    action: 'Give the id of a model in the list, or the path of a .gguf file.',
  });
}

function statOf(path: string): Stats | undefined {
  return statSync(path, { throwIfNoEntry: false });
}

/** Names in a folder, sorted; none where there is no such folder. */
async function namesIn(dir: string): Promise<string[]> {
  return existsSync(dir) ? (await readdir(dir)).sort() : [];
}

async function folderBytes(dir: string): Promise<number> {
  let total = 0;
  for (const entry of await readdir(dir, { withFileTypes: true })) {
    const path = join(dir, entry.name);
    total += entry.isDirectory() ? await folderBytes(path) : (statOf(path)?.size ?? 0);
  }
  return total;
}
