/** Prompts about documents, kept on disk so that the same text need not be read again: by the next process, or weeks later. */
import { createHash } from 'node:crypto';
import { rm } from 'node:fs/promises';
import type { KeptPrompt } from '../../../contract/engine.ts';
import type { LoadedModel } from './loaded-model.ts';
import { bytesPerToken, readPrefix, readPrefixIds, writePrefix } from './prefix-file.ts';
import { groupOf, PrefixFolder } from './prefix-folder.ts';

/** Fewer tokens are read again sooner than they are looked for. */
const LEAST_GAIN = 256;
/** Documents whose prompts take more than this share of the room are not kept: they would push each other out. */
const MOST_SHARE = 0.5;

export class PrefixStore {
  readonly #folder: PrefixFolder;

  constructor(folder: string) {
    this.#folder = new PrefixFolder(folder);
  }

  /**
   * Brings the cache to the longest beginning of `ids` that lies on disk, where that saves more than the cache itself holds.
   * A file that is not what was written is removed. @param origin the attention's rule, as the cache keeps it
   */
  async restore(
    model: LoadedModel,
    ids: readonly number[],
    origin: string,
    { documents }: KeptPrompt,
    signal?: AbortSignal,
  ): Promise<void> {
    const group = groupOf(documents);
    if (group === undefined) return;
    const made = madeBy(model, origin);
    let common = model.cache.commonWith(ids, origin) + LEAST_GAIN;
    let best: { path: string; ids: Int32Array } | undefined;
    for (const { path } of await this.#folder.list(group)) {
      const found = await readPrefixIds(path, made);
      if (found === undefined || found.length > model.cache.capacity) continue;
      const length = commonLength(found, ids);
      if (length <= common) continue;
      common = length;
      best = { path, ids: found };
    }
    if (best === undefined) return;
    model.cache.truncate(0);
    if (await readPrefix(best.path, model.shared, signal)) {
      model.cache.restore([...best.ids], origin);
      await this.#folder.touch(best.path);
    } else if (!signal?.aborted) await rm(best.path, { force: true });
  }

  /**
   * Keeps the prompt `ids`, which the cache holds, and removes what was used longest ago beyond the room. Does nothing where
   * most of it lies on disk already. What cannot be written is not kept; the answer does not depend on it.
   */
  async keep(model: LoadedModel, ids: readonly number[], origin: string, asked: KeptPrompt): Promise<void> {
    const group = groupOf(asked.documents);
    const each = bytesPerToken(model.shared.shape);
    if (group === undefined || Math.max(asked.tokens, ids.length) * each > asked.bytes * MOST_SHARE) return;
    if (model.cache.length < ids.length) return;
    const made = madeBy(model, origin);
    for (const { path } of await this.#folder.list(group)) {
      const found = await readPrefixIds(path, made);
      if (found === undefined) continue;
      const common = commonLength(found, ids);
      if (ids.length - common < LEAST_GAIN) return this.#folder.touch(path);
      // What the new one holds as well.
      if (found.length - common < LEAST_GAIN) await rm(path, { force: true });
    }
    const name = createHash('sha256').update(made).update(Int32Array.from(ids)).digest('hex').slice(0, 32);
    try {
      await writePrefix(this.#folder.pathOf(group, name), made, ids, model.shared);
    } catch {
      // A full disk, most likely: what is there stays.
      return;
    }
    await this.#folder.trim(asked.bytes);
  }
}

/** All that keys and values depend on beside the tokens, as a digest. */
function madeBy({ bundle, shared, linearDevice, pilot }: LoadedModel, origin: string): string {
  const { id, weights, source, formatVersion, files } = bundle.manifest;
  const { shape, bf16, crossover, chunkSize, meanLambdaQ, meanLambdaK, headRatios } = shared;
  const model = { id, weights, sha256: source.sha256, formatVersion, files };
  const memory = { shape, bf16, crossover, chunkSize, meanLambdaQ, meanLambdaK };
  const devices = { linear: linearDevice, pilot: pilot.device ?? null };
  return createHash('sha256')
    .update(JSON.stringify({ model, memory, devices, origin }))
    .update(new Uint8Array(headRatios).slice())
    .digest('hex');
}

function commonLength(a: ArrayLike<number>, b: ArrayLike<number>): number {
  const most = Math.min(a.length, b.length);
  let common = 0;
  while (common < most && a[common] === b[common]) common += 1;
  return common;
}
