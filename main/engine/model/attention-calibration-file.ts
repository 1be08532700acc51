/** Reads and writes attention.json, which lies beside the flavours' folders of an imported model. */
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import * as v from 'valibot';
import { type AttentionCalibration, AttentionCalibrationSchema } from './attention-calibration.ts';
import { explainWriteError, writeDurably } from './import-files.ts';
import type { BundleManifest } from './manifest.ts';

const FILE = 'attention.json';

/**
 * The calibration of the model that has a flavour in `flavourDir`; undefined where there is none that can be used: damaged,
 * of another version or another source file. A model works without one, and the next calibration replaces it.
 */
export function readAttentionCalibration(
  flavourDir: string,
  manifest: BundleManifest,
): AttentionCalibration | undefined {
  let json: unknown;
  try {
    json = JSON.parse(readFileSync(join(modelFolder(flavourDir), FILE), 'utf8'));
  } catch {
    return undefined;
  }
  const result = v.safeParse(AttentionCalibrationSchema, json);
  return result.success && fits(result.output, manifest) ? result.output : undefined;
}

/** Puts the calibration of a flavour's model in place in one step. Throws AppError. */
export async function writeAttentionCalibration(flavourDir: string, calibration: AttentionCalibration): Promise<void> {
  await replaceFile(join(modelFolder(flavourDir), FILE), JSON.stringify(calibration));
}

/** The folder of all flavours of a model. */
export function modelFolder(flavourDir: string): string {
  return dirname(flavourDir);
}

/** Gives `path` a new content in one step: whoever reads it meanwhile sees the old or the new one. Throws AppError. */
export async function replaceFile(path: string, content: string | Uint8Array): Promise<void> {
  const temp = `${path}.${process.pid}-${randomBytes(4).toString('hex')}.tmp`;
  try {
    await mkdir(dirname(path), { recursive: true });
    await writeDurably(temp, content);
    await rename(temp, path);
  } catch (error) {
    await rm(temp, { force: true });
    throw explainWriteError(error, dirname(path));
  }
}

function fits(calibration: AttentionCalibration, { config, source }: BundleManifest): boolean {
  const { lostMass, headLambdaQ, headLambdaK, meanKey, staticRanges, importance } = calibration;
  const is = (rows: readonly (readonly unknown[])[], width: number) =>
    rows.length === config.nLayer && rows.every((row) => row.length === width);
  return (
    calibration.sourceSha256 === source.sha256 &&
    is(headLambdaQ, config.nHead) &&
    is(headLambdaK, config.nHeadKv) &&
    is(meanKey, config.nHeadKv) &&
    meanKey.every((heads) => heads.every((key) => key.length === config.headDim)) &&
    is(lostMass.mass, config.nHead) &&
    lostMass.mass.every((heads) => heads.every((curve) => curve.length === lostMass.grid.length)) &&
    staticRanges.length === config.nLayer &&
    (importance === undefined || (is(importance.head, config.nHead) && importance.layer.length === config.nLayer))
  );
}
