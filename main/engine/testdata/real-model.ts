/**
 * The default model for tests: the real GGUF from the data folder, imported once per version of the importing code into
 * a cache folder of the checkout.
 */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { dataDir } from '../../data-dir.mjs';
import { Engine, type EngineOptions } from '../engine.ts';

const ROOT = path.join(__dirname, '..', '..', '..');
/** What decides the bytes of an imported model. */
const SOURCES = ['main/engine/graph', 'main/engine/model', 'main/engine/calibration', 'resources/calibration.txt'];

const spec = JSON.parse(readFileSync(path.join(ROOT, 'resources', 'default-model.json'), 'utf8')) as { file: string };

/** Path of the default model's GGUF. Throws where it has not been downloaded. */
export function realModelPath(): string {
  const file = path.join(dataDir(), 'models', spec.file);
  if (!existsSync(file)) throw new Error(`${file} is missing: "npm test" downloads it, or run "npm run setup" first.`);
  return file;
}

/** An engine over the default model and this checkout's import cache. */
export function realModelEngine(options: Omit<EngineOptions, 'modelsDir' | 'bundlesDir'> = {}): Engine {
  const bundlesDir = path.join(ROOT, '.cache', 'test-bundles', sourceDigest());
  return new Engine({ ...options, modelsDir: path.dirname(realModelPath()), bundlesDir });
}

function sourceDigest(): string {
  const hash = createHash('sha256');
  for (const source of SOURCES) {
    const full = path.join(ROOT, source);
    const files = source.endsWith('.txt') ? [full] : readdirSync(full).map((name) => path.join(full, name));
    for (const file of files.sort()) {
      if (!/\.test\.|device-/.test(path.basename(file)))
        hash.update(file.slice(ROOT.length)).update(readFileSync(file));
    }
  }
  return hash.digest('hex').slice(0, 16);
}
