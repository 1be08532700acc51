/** The default model as the app has it, for benchmarks; imports it at first use. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { dataDir } from '../../main/data-dir.mjs';
import { Engine } from '../../main/engine/engine.ts';

/** The checkout, seen from where benchmarks are bundled (dist/bench). */
export const ROOT = path.join(__dirname, '..', '..');

/** An engine with the default model loaded, fast weights. */
export async function loadDefaultModel(options: { contextSize: number; threads?: number }): Promise<Engine> {
  const spec = JSON.parse(readFileSync(path.join(ROOT, 'resources', 'default-model.json'), 'utf8')) as { file: string };
  const modelsDir = path.join(dataDir(), 'models');
  const engine = new Engine({ modelsDir, bundlesDir: path.join(dataDir(), 'bundles') });
  await engine.load({ model: path.join(modelsDir, spec.file), weights: 'fast', ...options });
  return engine;
}
