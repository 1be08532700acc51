/**
 * An imported model on disk: checks that a bundle folder is whole, hands out its graph paths, its tokenizer source and
 * rows of its embedding. Rows are read from the file on demand; the table is never in memory.
 */
import { closeSync, openSync, readFileSync, readSync, statSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { AppError } from '../../../contract/errors.ts';
import { type Phrase, phrase, said } from '../../../contract/phrase.ts';
import { LINEAR_SESSION_CONFIG } from '../graph/linear.ts';
import { ManifestSchema, TokenizerSchema } from './bundle-schema.ts';
import { BUNDLE_VERSION, type BundleManifest, type TokenizerSource } from './manifest.ts';

export const MANIFEST_FILE = 'manifest.json';
export const TOKENIZER_FILE = 'tokenizer.json';

const IMPORT_AGAIN = 'Import the model again.';

/** The manifest of the bundle in `dir`, checked for form and version. Throws AppError 'model-missing' or 'model-invalid'. */
export function readManifest(dir: string): BundleManifest {
  const path = join(dir, MANIFEST_FILE);
  const json = readJson(path);
  const version = typeof json === 'object' && json !== null && 'formatVersion' in json ? json.formatVersion : undefined;
  if (version !== BUNDLE_VERSION) {
    throw damaged(path, phrase`it has format version ${String(version)}, this program reads ${BUNDLE_VERSION}`);
  }
  return check(ManifestSchema, json, path);
}

/**
 * Opens the bundle in `dir`; call `close` when done. Throws AppError 'model-missing' where there is none and
 * 'model-invalid' where its manifest is malformed, of another version, or a file is gone or has another size.
 */
export function openBundle(dir: string): Bundle {
  const manifest = readManifest(dir);
  checkFiles(dir, manifest);
  return new Bundle(dir, manifest);
}

/** Throws AppError 'model-invalid' unless every file that the manifest names is there with its size. */
export function checkFiles(dir: string, manifest: BundleManifest): void {
  for (const file of manifest.files) {
    const stat = statSync(join(dir, file.name), { throwIfNoEntry: false });
    if (stat === undefined) throw damaged(join(dir, file.name), said('the file is gone'));
    if (stat.size !== file.bytes) {
      throw damaged(join(dir, file.name), phrase`it has ${stat.size} bytes instead of ${file.bytes}`);
    }
  }
}

export class Bundle {
  readonly dir: string;
  readonly manifest: BundleManifest;
  /** Absolute paths of the block graphs, nLayer + 1. */
  readonly blockPaths: readonly string[];
  readonly headPath: string;
  /** ORT session config entries that every session of this bundle needs. */
  readonly sessionConfig: Readonly<Record<string, string>>;
  /** One row as it lies in the file, where rows are stored in blocks; a row at a time is read. */
  readonly #blockRow: { q: Uint8Array; scale: Float32Array; add: Float32Array };
  #fd: number | null;

  /** For the importer, which opens a bundle before its manifest is on disk; others call `openBundle`. */
  constructor(dir: string, manifest: BundleManifest) {
    this.dir = dir;
    this.manifest = manifest;
    this.sessionConfig = LINEAR_SESSION_CONFIG[manifest.weights];
    this.blockPaths = manifest.graphs.blocks.map((name) => join(dir, name));
    this.headPath = join(dir, manifest.graphs.head);
    this.#fd = openSync(join(dir, manifest.embedding.file), 'r');
    const { nEmbd } = manifest.config;
    const blocks = manifest.embedding.kind === 'blocks' ? nEmbd / manifest.embedding.blockSize : 0;
    this.#blockRow = {
      q: new Uint8Array(blocks === 0 ? 0 : nEmbd),
      scale: new Float32Array(blocks),
      add: new Float32Array(blocks),
    };
  }

  /** The tokenizer.* keys of the model's GGUF. Throws AppError 'model-invalid'. */
  tokenizerSource(): TokenizerSource {
    const path = join(this.dir, TOKENIZER_FILE);
    return check(TokenizerSchema, readJson(path), path);
  }

  /**
   * Embedding rows of `ids`, scaled as the model wants it: float32 [ids.length, nEmbd], read from disk into `out`, which is
   * made where none is given. Throws AppError 'bad-input' for an id outside 0 .. nVocab - 1 and 'model-invalid' when the
   * file is shorter than the manifest says.
   */
  readEmbeddingRows(
    ids: ArrayLike<number>,
    out: Float32Array = new Float32Array(ids.length * this.manifest.config.nEmbd),
  ): Float32Array {
    const { nEmbd, nVocab, embeddingScale } = this.manifest.config;
    const layout = this.manifest.embedding;
    const { q, scale, add } = this.#blockRow;
    for (let i = 0; i < ids.length; i++) {
      const id = ids[i];
      if (id === undefined || !Number.isInteger(id) || id < 0 || id >= nVocab) {
        throw new AppError('bad-input', phrase`Token id ${id} is outside the vocabulary of ${nVocab} tokens.`);
      }
      const row = out.subarray(i * nEmbd, (i + 1) * nEmbd);
      if (layout.kind === 'float32') {
        this.#read(row, layout.offset + id * nEmbd * 4);
        for (let c = 0; c < nEmbd; c++) row[c] = (row[c] ?? 0) * embeddingScale;
        continue;
      }
      const blocks = nEmbd / layout.blockSize;
      this.#read(q, layout.qOffset + id * nEmbd);
      this.#read(scale, layout.scaleOffset + id * blocks * 4);
      if (layout.addOffset !== null) this.#read(add, layout.addOffset + id * blocks * 4);
      for (let c = 0; c < nEmbd; c++) {
        const block = Math.floor(c / layout.blockSize);
        row[c] = (((q[c] ?? 0) - 128) * (scale[block] ?? 0) + (add[block] ?? 0)) * embeddingScale;
      }
    }
    return out;
  }

  /** Lets go of the file. Rows cannot be read afterwards. */
  close(): void {
    if (this.#fd !== null) closeSync(this.#fd);
    this.#fd = null;
  }

  #read(into: Uint8Array | Float32Array, offset: number): void {
    if (this.#fd === null) throw new AppError('internal', 'The bundle was closed while rows were being read.');
    const path = join(this.dir, this.manifest.embedding.file);
    let done = 0;
    while (done < into.byteLength) {
      const read = readSync(this.#fd, into, done, into.byteLength - done, offset + done);
      if (read === 0) throw damaged(path, phrase`it ends before byte ${offset + into.byteLength}`);
      done += read;
    }
  }
}

function readJson(path: string): unknown {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (cause) {
    throw new AppError('model-missing', phrase`The imported model has no ${path}.`, { action: IMPORT_AGAIN, cause });
  }
  try {
    return JSON.parse(text);
  } catch {
    throw damaged(path, said('it is not JSON'));
  }
}

function check<T>(schema: v.GenericSchema<unknown, T>, value: unknown, path: string): T {
  const result = v.safeParse(schema, value);
  if (result.success) return result.output;
  const [issue] = result.issues;
  throw damaged(path, phrase`${v.getDotPath(issue) ?? '/'}: ${issue.message}`);
}

function damaged(path: string, what: Phrase): AppError {
  return new AppError('model-invalid', phrase`The imported model is damaged at ${path}: ${what}.`, {
    action: IMPORT_AGAIN,
  });
}
