/** Typed, checked access to the JSON files beside safetensors. Every failure names file and key. */
import { readFile, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { AppError } from '../../../contract/errors.ts';
import { type Phrase, phrase, said } from '../../../contract/phrase.ts';
import { invalidModel, quote } from './gguf-errors.ts';
import type { Range } from './gguf-metadata.ts';

/** The largest tokenizers are a few dozen megabytes. */
const LARGEST_FILE = 256 * 1024 * 1024;

/** Getters without `optional` throw AppError 'model-invalid' for a missing key; all throw it for a wrong type. null is missing. */
export class JsonFields {
  readonly path: string;
  readonly #values: Readonly<Record<string, unknown>>;
  readonly #prefix: string;

  constructor(path: string, values: Readonly<Record<string, unknown>>, prefix = '') {
    this.path = path;
    this.#values = values;
    this.#prefix = prefix;
  }

  keys(): string[] {
    return Object.keys(this.#values);
  }

  raw(key: string): unknown {
    return Object.hasOwn(this.#values, key) ? (this.#values[key] ?? undefined) : undefined;
  }

  string(key: string): string {
    return this.optionalString(key) ?? this.missing(key);
  }

  optionalString(key: string): string | undefined {
    const found = this.raw(key);
    return found === undefined || typeof found === 'string' ? found : this.wrong(key, 'text');
  }

  optionalBoolean(key: string): boolean | undefined {
    const found = this.raw(key);
    return found === undefined || typeof found === 'boolean' ? found : this.wrong(key, 'true or false');
  }

  integer(key: string, range: Range): number {
    return this.optionalInteger(key, range) ?? this.missing(key);
  }

  optionalInteger(key: string, range: Range): number | undefined {
    const found = this.optionalNumber(key, range);
    return found === undefined || Number.isSafeInteger(found) ? found : this.wrong(key, 'a whole number');
  }

  number(key: string, range: Range): number {
    return this.optionalNumber(key, range) ?? this.missing(key);
  }

  optionalNumber(key: string, { min = Number.NEGATIVE_INFINITY, max = Number.POSITIVE_INFINITY }: Range = {}) {
    const found = this.raw(key);
    if (found === undefined) return undefined;
    if (typeof found !== 'number') return this.wrong(key, 'a number');
    if (found < min || found > max) throw this.bad(key, phrase`is ${found}; ${phrase`${min} to ${max}`} is possible`);
    return found;
  }

  optionalNumbers(key: string): number[] | undefined {
    const found = this.raw(key);
    if (found === undefined) return undefined;
    if (!Array.isArray(found) || !found.every((item) => typeof item === 'number')) return this.wrong(key, 'numbers');
    return found;
  }

  optionalArray(key: string): unknown[] | undefined {
    const found = this.raw(key);
    return found === undefined || Array.isArray(found) ? found : this.wrong(key, 'a list');
  }

  /** An object's own fields; its keys are named with this one before them. */
  optionalObject(key: string): JsonFields | undefined {
    const found = this.raw(key);
    if (found === undefined) return undefined;
    if (!isObject(found)) return this.wrong(key, 'an object');
    return new JsonFields(this.path, found, `${this.#prefix}${key}.`);
  }

  bad(key: string, what: Phrase): AppError {
    return invalidModel(this.path, phrase`key ${quote(this.#prefix + key)} ${what}`);
  }

  missing(key: string): never {
    throw this.bad(key, said('is missing'));
  }

  private wrong(key: string, wanted: string): never {
    throw this.bad(key, phrase`is not ${said(wanted)}`);
  }
}

/** Fields of a JSON file. Throws AppError 'model-missing' or 'model-invalid'. */
export async function readJsonFields(path: string): Promise<JsonFields> {
  return (await readOptionalJsonFields(path)) ?? missingFile(path);
}

/** The same; undefined where there is no such file. */
export async function readOptionalJsonFields(path: string): Promise<JsonFields | undefined> {
  const text = await readOptionalText(path);
  if (text === undefined) return undefined;
  let values: unknown;
  try {
    values = JSON.parse(text);
  } catch {
    throw invalidModel(path, 'this is not JSON text');
  }
  if (!isObject(values)) throw invalidModel(path, 'this is not a JSON object');
  return new JsonFields(path, values);
}

/** A text file's content; undefined where there is no such file. Throws AppError 'model-invalid' or 'model-missing'. */
export async function readOptionalText(path: string): Promise<string | undefined> {
  const stats = await stat(path).catch(() => undefined);
  if (stats === undefined) return undefined;
  if (!stats.isFile()) throw invalidModel(path, 'this is a folder or device, not a file');
  if (stats.size > LARGEST_FILE)
    throw invalidModel(path, phrase`the file has ${stats.size} bytes, far more than it should`);
  try {
    return await readFile(path, 'utf8');
  } catch {
    return missingFile(path);
  }
}

function missingFile(path: string): never {
  throw new AppError('model-missing', phrase`${basename(path)}: the file is missing or cannot be read.`, {
    action: 'Download the whole folder of the model again.',
    detail: path,
  });
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
