/**
 * Graphs that `npu-compile` made on another machine. They lie beside the bundle in a folder for each kind of NPU, named by what
 * they were made from, so that a model's folder can be handed to a laptop ready for its NPU.
 */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { CompiledCache } from './compiled-cache.ts';
import { NPU_TARGETS, type NpuTarget } from './npu-targets.ts';

/** Where the graphs for a target lie in a model's folder. @param name a key of NPU_TARGETS */
export function npuFolder(modelFolder: string, name: string): string {
  return join(modelFolder, `npu-${name}`);
}

/** Names compiled code for a target. @param weightsSha256 of the weights that the graph refers to; null: none */
export function npuKey(graph: string, weightsSha256: string | null, target: NpuTarget): string {
  const digest = createHash('sha256')
    .update(JSON.stringify([target, weightsSha256]))
    .update(readFileSync(graph))
    .digest('hex');
  return `${basename(graph, '.onnx')}-${digest.slice(0, 16)}`;
}

/**
 * Paths of whole compiled forms of a graph for the NPUs of an execution provider. Which of them fits a device shows only when
 * the device opens it.
 */
export async function findPrebuilt(
  modelFolder: string,
  executionProvider: string,
  graph: string,
  weightsSha256: string,
): Promise<string[]> {
  const found: string[] = [];
  for (const [name, target] of Object.entries(NPU_TARGETS)) {
    const folder = npuFolder(modelFolder, name);
    if (target.executionProvider !== executionProvider || !existsSync(folder)) continue;
    const cache = new CompiledCache(folder, Number.POSITIVE_INFINITY);
    const path = await cache.find(npuKey(graph, weightsSha256, target));
    if (path !== undefined) found.push(path);
  }
  return found;
}
