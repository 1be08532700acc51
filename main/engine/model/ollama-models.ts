/** Models that Ollama keeps: manifests by name, and the .gguf files they speak of as blobs named by their checksums. */
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import * as v from 'valibot';
import type { FoundModel } from './found-models.ts';

const Manifest = v.object({
  layers: v.array(v.object({ mediaType: v.string(), digest: v.pipe(v.string(), v.regex(/^sha256:[0-9a-f]{64}$/)) })),
});

const MODEL_LAYER = 'application/vnd.ollama.image.model';
const LARGEST_MANIFEST = 1 << 20;
const MOST_MODELS = 500;
/** registry/namespace/model/tag; the usual registry and namespace are not part of a model's name. */
const LEVELS = 4;
const USUAL = [/^registry\.ollama\.ai$/, /^library$/];

/** The models in Ollama's folder `root`, by name. Those whose files are missing or malformed are left out. */
export async function findOllamaModels(root: string): Promise<FoundModel[]> {
  const found: FoundModel[] = [];
  for (const parts of (await manifests(join(root, 'manifests'), [])).slice(0, MOST_MODELS)) {
    const digest = await modelDigest(join(root, 'manifests', ...parts));
    if (digest === undefined) continue;
    const path = join(root, 'blobs', digest.replace(':', '-'));
    const stats = await stat(path).catch(() => undefined);
    if (stats?.isFile() !== true) continue;
    found.push({ path, name: nameOf(parts), bytes: stats.size, modifiedMs: stats.mtimeMs, origin: 'ollama' });
  }
  return found;
}

/** Paths of manifests below `dir`, as their parts. Links are not followed: Ollama makes none. */
async function manifests(dir: string, parts: readonly string[]): Promise<string[][]> {
  const entries = await readdir(dir, { withFileTypes: true }).catch(() => []);
  const found: string[][] = [];
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const here = [...parts, entry.name];
    if (here.length === LEVELS && entry.isFile()) found.push(here);
    else if (here.length < LEVELS && entry.isDirectory()) found.push(...(await manifests(join(dir, entry.name), here)));
    if (found.length >= MOST_MODELS) break;
  }
  return found;
}

async function modelDigest(path: string): Promise<string | undefined> {
  try {
    if ((await stat(path)).size > LARGEST_MANIFEST) return undefined;
    const { layers } = v.parse(Manifest, JSON.parse(await readFile(path, 'utf8')));
    return layers.find(({ mediaType }) => mediaType === MODEL_LAYER)?.digest;
  } catch {
    return undefined;
  }
}

/** `llama3.2:3b`, or `user/model:tag`. */
function nameOf(parts: readonly string[]): string {
  const tag = parts[parts.length - 1] ?? '';
  const names = parts.slice(0, -1).filter((part, i) => USUAL[i]?.test(part) !== true);
  return `${names.join('/')}:${tag}`;
}
