/**
 * The models of this machine: imported bundles, files in the models folder, and those that other programs keep. Finds,
 * imports on first use, verifies, removes. One bad file never hides the others.
 */
import { createHash } from 'node:crypto';
import { existsSync, type Stats, statSync } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import type { MemoryEstimate, ModelInfo, Progress, WeightFlavour } from '../../../contract/engine.ts';
import { AppError } from '../../../contract/errors.ts';
import { phrase } from '../../../contract/phrase.ts';
import { type Bundle, checkFiles, openBundle, readManifest } from './bundle.ts';
import { type FoundModel, findModels, type ModelFolder } from './found-models.ts';
import { type ImportOptions, importModel } from './import.ts';
import { modelName, sha256Model } from './import-files.ts';
import type { BundleManifest } from './manifest.ts';
import { estimateMemory } from './memory-estimate.ts';
import { weightsOfBundle, weightsOfFile } from './memory-shape.ts';
import { type ModelFile, readModelFile } from './model-file.ts';
import { verifyBundle, verifySource } from './verify.ts';

const FLAVOURS: readonly WeightFlavour[] = ['exact', 'fast'];

export type EnsureOptions = Pick<ImportOptions, 'calibrate' | 'onProgress' | 'signal'>;

export interface LibraryFolders {
  /** Folder with .gguf files and folders of safetensors. */
  modelsDir: string;
  /** Folder with imported models. */
  bundlesDir: string;
  /** Where other programs keep models; these are never written. */
  foreign?: readonly ModelFolder[];
}

export interface VerifyRequest {
  id: string;
  /** Checksum of the model's file, where a catalogue knows it. */
  sha256?: string;
}

/** An imported model: its whole flavours, and why another one is not whole. */
interface Imported {
  id: string;
  flavours: Map<WeightFlavour, BundleManifest>;
  /** Every manifest that can be read, also of damaged flavours: they tell where the model came from. */
  known: BundleManifest[];
  problem: AppError | undefined;
}

/** A model of the list: imported, found, or both. */
interface Entry {
  id: string;
  imported?: Imported;
  source?: FoundModel;
}

type SourceFacts = Pick<ModelInfo, 'architecture' | 'contextTrained' | 'problem'>;

export class ModelLibrary {
  readonly #bundlesDir: string;
  readonly #folders: LibraryFolders;
  /** What reading a file gave, by path, size and date: headers are large, lists are asked for often. */
  readonly #facts = new Map<string, SourceFacts>();

  constructor(folders: LibraryFolders) {
    this.#bundlesDir = folders.bundlesDir;
    this.#folders = folders;
  }

  /** All models, imported ones first, by name. Files that cannot be used are there with their `problem`. */
  async list(): Promise<ModelInfo[]> {
    const models: ModelInfo[] = [];
    for (const entry of await this.#entries()) models.push(await this.#infoOf(entry));
    return models;
  }

  /**
   * The open bundle of `reference`, an id of `list` or the path of a .gguf file or a folder of safetensors, imported first
   * where that has not been done in this flavour. Throws AppError 'model-missing' when there is no such model; else those of
   * `importModel`.
   */
  async ensure(reference: string, weights: WeightFlavour, options: EnsureOptions): Promise<Bundle> {
    const entries = await this.#entries();
    const entry = entries.find(({ id }) => id === reference);
    if (entry?.imported?.flavours.has(weights) === true) {
      return openBundle(join(this.#bundlesDir, entry.id, weights));
    }
    const path = this.#sourcePath(reference, entry);
    const from = entry ?? entries.find(({ source }) => source?.path === path);
    const id = from?.imported?.id ?? (await this.#idFor(path, from?.id, options.signal));
    const name = from?.source?.name ?? modelName(path);
    return openBundle(await importModel(path, { ...options, name, weights, bundlesDir: this.#bundlesDir, id }));
  }

  /** Memory that a model would take, imported or not. Throws AppError 'model-missing' or the reader's kinds. */
  async estimate(id: string, load: { weights: WeightFlavour; contextSize: number }): Promise<MemoryEstimate> {
    const { imported, source } = await this.#entry(id);
    const manifest = imported?.flavours.get(load.weights);
    if (manifest !== undefined) return estimateMemory(manifest.config, weightsOfBundle(manifest), load);
    if (source === undefined) throw imported?.problem ?? noSuchModel(id);
    const file = await readModelFile(source.path);
    return estimateMemory(file.config, await weightsOfFile(file, load.weights), load);
  }

  /**
   * Checks a model's bundles and its file against the checksums of the import or of a catalogue. Returns what could be
   * checked: without a checksum only the file's form. Throws AppError 'model-invalid' naming the file that is damaged.
   */
  async verify(
    { id, sha256 }: VerifyRequest,
    { onProgress, signal }: { onProgress?: (progress: Progress) => void; signal?: AbortSignal } = {},
  ): Promise<'checksum' | 'format'> {
    const { imported, source } = await this.#entry(id);
    const flavours = [...(imported?.flavours.entries() ?? [])];
    const file = source && (await readModelFile(source.path));
    const total = flavours.reduce((sum, [, { files }]) => sum + files.reduce((all, { bytes }) => all + bytes, 0), 0);
    let done = 0;
    const step = (bytes: number) => {
      if (signal?.aborted === true) throw new AppError('cancelled', 'The check was cancelled.');
      done += bytes;
      onProgress?.({ stage: 'verify', done, total: total + (file?.bytes ?? 0) });
    };
    if (imported?.problem !== undefined) throw imported.problem;
    let whole = flavours.length > 0;
    for (const [weights, manifest] of flavours) {
      const checked = await verifyBundle(join(this.#bundlesDir, id, weights), manifest, step);
      whole = whole && checked;
    }
    const expected = sha256 ?? imported?.known[0]?.source.sha256;
    if (file === undefined) return whole ? 'checksum' : 'format';
    return (await verifySource(file, expected, step)) ? 'checksum' : 'format';
  }

  /** Removes a model: its bundles, and its file where that lies in the models folder. Throws AppError 'model-missing'. */
  async remove(id: string): Promise<void> {
    const { source } = await this.#entry(id);
    await rm(join(this.#bundlesDir, id), { recursive: true, force: true, maxRetries: 3 });
    if (source?.origin === 'folder') await rm(source.path, { recursive: true, force: true, maxRetries: 3 });
  }

  async #entry(id: string): Promise<Entry> {
    const found = (await this.#entries()).find((entry) => entry.id === id);
    if (found === undefined) throw noSuchModel(id);
    return found;
  }

  /** Every model with the id that it has as long as neither it nor another of its name goes. */
  async #entries(): Promise<Entry[]> {
    const { modelsDir, foreign = [] } = this.#folders;
    let sources = await findModels([{ origin: 'folder', path: modelsDir }, ...foreign]);
    const entries: Entry[] = (await this.#imported()).map((imported) => {
      const source = sources.find((file) => isSourceOf(file, imported));
      if (source !== undefined) sources = sources.filter((file) => file !== source);
      return { id: imported.id, imported, ...(source === undefined ? {} : { source }) };
    });
    const taken = new Set(entries.map(({ id }) => id));
    for (const source of sources) {
      const plain = slug(source.name);
      const id = taken.has(plain) ? `${plain}-${fingerprint(source)}` : plain;
      taken.add(id);
      entries.push({ id, source });
    }
    return entries;
  }

  /** Where the file of `reference` lies that is not imported in the flavour asked for. */
  #sourcePath(reference: string, entry: Entry | undefined): string {
    if (entry?.source !== undefined) return entry.source.path;
    if (entry?.imported !== undefined) {
      const { flavours, known, problem } = entry.imported;
      if (flavours.size === 0 && problem !== undefined) throw problem;
      throw new AppError(
        'model-missing',
        phrase`"${reference}" has to be imported from ${known[0]?.source.fileName ?? 'its file'} again, which is not in ${this.#folders.modelsDir}.`,
        { action: 'Give the path of the model file.' },
      );
    }
    if (looksLikePath(reference)) return resolve(reference);
    throw noSuchModel(reference);
  }

  /** The id under which the model at `path` is or will be imported: its name, with a suffix where another model has that. */
  async #idFor(path: string, listed: string | undefined, signal: AbortSignal | undefined): Promise<string> {
    // A file that is no model is refused before it is hashed.
    const { files } = await readModelFile(path);
    const sha256 = await sha256Model(files, () => {
      if (signal?.aborted === true) throw new AppError('cancelled', 'The import was cancelled.');
    });
    const imported = await this.#imported();
    const same = imported.find(({ known }) => known.some(({ source }) => source.sha256 === sha256));
    if (same !== undefined) return same.id;
    const id = listed ?? slug(modelName(path));
    // A folder whose origin nobody can tell any more gives way.
    const taken = imported.some((other) => other.id === id && other.known.length > 0);
    return taken ? `${id}-${sha256.slice(0, 8)}` : id;
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

  async #infoOf({ id, imported, source }: Entry): Promise<ModelInfo> {
    const [manifest] = imported?.known ?? [];
    const bundleBytes = imported === undefined ? 0 : await folderBytes(join(this.#bundlesDir, id));
    const about = {
      id,
      weights: [...(imported?.flavours.keys() ?? [])],
      bytes: bundleBytes + (source?.origin === 'folder' ? source.bytes : 0),
      origin: source?.origin ?? ('elsewhere' as const),
      ...(source === undefined ? {} : { sourcePath: source.path, sourceBytes: source.bytes }),
    };
    if (imported === undefined && source !== undefined) {
      return { ...about, name: source.name, ...(await this.#factsOf(source)) };
    }
    return {
      ...about,
      name: manifest?.name ?? id,
      architecture: manifest?.config.architecture ?? 'unknown',
      contextTrained: manifest?.config.contextTrained ?? 0,
      // A damaged flavour is no problem while the model's file is there to import it again.
      ...(imported?.problem === undefined || source !== undefined ? {} : { problem: imported.problem.toInfo() }),
    };
  }

  async #factsOf(source: FoundModel): Promise<SourceFacts> {
    const key = JSON.stringify([source.path, source.bytes, source.modifiedMs]);
    let facts = this.#facts.get(key);
    if (facts === undefined) {
      facts = await readModelFile(source.path).then(factsOfFile, (error) => ({
        architecture: 'unknown',
        contextTrained: 0,
        problem: AppError.from(error).toInfo(),
      }));
      this.#facts.set(key, facts);
    }
    return facts;
  }
}

function factsOfFile({ config: { architecture, contextTrained } }: ModelFile): SourceFacts {
  return { architecture, contextTrained };
}

/** A model's id from its name: lower case letters, digits, `.`, `_` and `-`. */
export function slug(name: string): string {
  const cleaned = name
    .toLowerCase()
    .replace(/[^a-z0-9._-]+/g, '-')
    .replace(/^[-._]+|[-._]+$/g, '')
    .slice(0, 80);
  return cleaned === '' ? 'model' : cleaned;
}

/** Tells models of one name apart, the same each time. */
function fingerprint({ path, bytes }: FoundModel): string {
  return createHash('sha256').update(`${path} ${bytes}`).digest('hex').slice(0, 8);
}

function isSourceOf(file: FoundModel, imported: Imported): boolean {
  // Where no manifest can be read, the name alone tells.
  if (imported.known.length === 0) return slug(file.name) === imported.id;
  return imported.known.some(({ source }) => source.fileName === basename(file.path) && source.bytes === file.bytes);
}

function looksLikePath(reference: string): boolean {
  return /\.gguf$/i.test(reference) || /[\\/]/.test(reference) || statOf(reference) !== undefined;
}

function noSuchModel(reference: string): AppError {
  return new AppError('model-missing', phrase`There is no model "${reference}".`, {
    action: 'Give the id of a model in the list, or the path of a .gguf file or of a folder with safetensors.',
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
