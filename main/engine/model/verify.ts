/** Compares what lies on the disk with the checksums that were made of it. */
import { join } from 'node:path';
import { AppError } from '../../../contract/errors.ts';
import { phrase } from '../../../contract/phrase.ts';
import { invalidModel } from './gguf-errors.ts';
import { sha256File, sha256Model } from './import-files.ts';
import type { BundleManifest } from './manifest.ts';
import type { ModelFile } from './model-file.ts';

/**
 * Checks every file of the bundle in `dir`, whose sizes are right already. Returns whether all had checksums: earlier imports
 * have none. Throws AppError 'model-invalid' naming the file. `step` is told the bytes of each piece and may throw to stop.
 */
export async function verifyBundle(
  dir: string,
  manifest: BundleManifest,
  step: (bytes: number) => void,
): Promise<boolean> {
  for (const { name, sha256 } of manifest.files) {
    const path = join(dir, name);
    if (sha256 === undefined || (await sha256File(path, step)) === sha256) continue;
    throw new AppError('model-invalid', phrase`The imported model is damaged: ${name} is not what the import wrote.`, {
      action: 'Remove the imported form and import the model again; then check the disk.',
      detail: path,
    });
  }
  return manifest.files.every(({ sha256 }) => sha256 !== undefined);
}

/** Checks a model's own files against `sha256`; false where there is none to check against. Throws AppError 'model-invalid'. */
export async function verifySource(
  { path, files }: Pick<ModelFile, 'path' | 'files'>,
  sha256: string | undefined,
  step: (bytes: number) => void,
): Promise<boolean> {
  if (sha256 === undefined) return false;
  if ((await sha256Model(files, step)) === sha256) return true;
  throw invalidModel(path, 'its content is not what it was when it was imported, or not what its publisher made');
}
