/** Typed, checked access to the metadata of a GGUF file. Every failure names the key. */
import type { AppError } from '../../../contract/errors.ts';
import { type Phrase, phrase, said } from '../../../contract/phrase.ts';
import { invalidModel, quote } from './gguf-errors.ts';
import type { MetadataValue, Scalar } from './gguf-types.ts';

export interface Range {
  min?: number;
  max?: number;
}

/** Getters without `optional` throw AppError 'model-invalid' for a missing key; all throw it for a wrong type or range. */
export class GgufMetadata {
  readonly #path: string;
  readonly #values: ReadonlyMap<string, MetadataValue>;

  constructor(path: string, values: ReadonlyMap<string, MetadataValue>) {
    this.#path = path;
    this.#values = values;
  }

  keys(): IterableIterator<string> {
    return this.#values.keys();
  }

  has(key: string): boolean {
    return this.#values.has(key);
  }

  /** The value as it lies in the file. */
  raw(key: string): MetadataValue | undefined {
    return this.#values.get(key);
  }

  isArray(key: string): boolean {
    return this.#values.get(key)?.type === 'array';
  }

  string(key: string): string {
    return this.optionalString(key) ?? this.#missing(key);
  }

  optionalString(key: string): string | undefined {
    const found = this.#scalar(key);
    if (found === undefined) return undefined;
    return typeof found === 'string' ? found : this.#wrongType(key, 'text');
  }

  optionalBoolean(key: string): boolean | undefined {
    const found = this.#scalar(key);
    if (found === undefined) return undefined;
    return typeof found === 'boolean' ? found : this.#wrongType(key, 'true or false');
  }

  /** A whole number within `range` (both ends included) that JavaScript holds exactly. */
  integer(key: string, range: Range = {}): number {
    return this.optionalInteger(key, range) ?? this.#missing(key);
  }

  optionalInteger(key: string, range: Range = {}): number | undefined {
    const found = this.#scalar(key);
    return found === undefined ? undefined : this.#checkInteger(key, found, range);
  }

  /** Any finite number within `range`. */
  number(key: string, range: Range = {}): number {
    return this.optionalNumber(key, range) ?? this.#missing(key);
  }

  optionalNumber(key: string, range: Range = {}): number | undefined {
    const found = this.#scalar(key);
    if (found === undefined) return undefined;
    if (typeof found !== 'number' && typeof found !== 'bigint') return this.#wrongType(key, 'a number');
    const value = Number(found);
    if (!Number.isFinite(value)) throw this.#bad(key, phrase`is ${value}, not a finite number`);
    this.#checkRange(key, value, range);
    return value;
  }

  strings(key: string): readonly string[] {
    return this.optionalStrings(key) ?? this.#missing(key);
  }

  optionalStrings(key: string): readonly string[] | undefined {
    const values = this.#array(key, 'a list of texts');
    if (values === undefined) return undefined;
    return Array.from(values, (item) => (typeof item === 'string' ? item : this.#wrongType(key, 'a list of texts')));
  }

  optionalIntegers(key: string, range: Range = {}): number[] | undefined {
    const values = this.#array(key, 'a list of whole numbers');
    return values === undefined ? undefined : Array.from(values, (item) => this.#checkInteger(key, item, range));
  }

  /** Finite or not: infinities in a list (scores) are the reader's business. */
  optionalNumbers(key: string): number[] | undefined {
    const values = this.#array(key, 'a list of numbers');
    if (values === undefined) return undefined;
    return Array.from(values, (item) =>
      typeof item === 'number' || typeof item === 'bigint' ? Number(item) : this.#wrongType(key, 'a list of numbers'),
    );
  }

  #scalar(key: string): Scalar | undefined {
    const found = this.#values.get(key);
    if (found === undefined) return undefined;
    if (found.type === 'array') return this.#wrongType(key, 'a single value');
    if (found.badText !== undefined) throw this.#bad(key, said('is not valid UTF-8 text'));
    return found.value;
  }

  #array(key: string, wanted: string): ArrayLike<Scalar> | undefined {
    const found = this.#values.get(key);
    if (found === undefined) return undefined;
    if (found.type !== 'array') return this.#wrongType(key, wanted);
    if (found.badText !== undefined)
      throw this.#bad(key, phrase`holds text that is not valid UTF-8 (entry ${found.badText})`);
    return found.values;
  }

  #checkInteger(key: string, found: Scalar, range: Range): number {
    if (typeof found === 'bigint') throw this.#bad(key, phrase`is ${found}, far beyond any sensible value`);
    if (typeof found !== 'number' || !Number.isInteger(found)) return this.#wrongType(key, 'a whole number');
    this.#checkRange(key, found, range);
    return found;
  }

  #checkRange(
    key: string,
    value: number,
    { min = Number.NEGATIVE_INFINITY, max = Number.POSITIVE_INFINITY }: Range,
  ): void {
    if (value >= min && value <= max) return;
    const allowed =
      max === Number.POSITIVE_INFINITY
        ? phrase`at least ${min}`
        : min === Number.NEGATIVE_INFINITY
          ? phrase`at most ${max}`
          : phrase`${min} to ${max}`;
    throw this.#bad(key, phrase`is ${value}; ${allowed} is possible`);
  }

  #bad(key: string, what: Phrase): AppError {
    return invalidModel(this.#path, phrase`metadata key ${quote(key)} ${what}`);
  }

  #missing(key: string): never {
    throw invalidModel(this.#path, phrase`metadata key ${quote(key)} is missing`);
  }

  #wrongType(key: string, wanted: string): never {
    const found = this.#values.get(key);
    const type = found?.type === 'array' ? phrase`a list of ${found.of}` : found?.type;
    throw this.#bad(key, phrase`is ${type}, expected ${said(wanted)}`);
  }
}
