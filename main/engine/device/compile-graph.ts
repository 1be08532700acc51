/** One graph through an execution provider's compiler, on the calling thread. */
import { copyFileSync } from 'node:fs';
import type { NativeAddon } from '../../../native/js/index.ts';
import type { CompileJob } from './compile-graphs.ts';
import type { OpenDevice } from './registry.ts';

/**
 * Writes the compiled form of a graph: one file with an EPContext node that holds the code. Nothing may be left to the
 * processor. Takes from a second to minutes where nothing prebuilt fits. Throws what ONNX Runtime says.
 */
export function compileGraph(
  native: NativeAddon,
  device: OpenDevice,
  { graph, output, prebuilt = [] }: CompileJob,
): void {
  for (const path of prebuilt) {
    try {
      openWhole(native, device, path, {});
    } catch {
      continue; // It is for another chip, or by another version of the compiler.
    }
    copyFileSync(path, output);
    return;
  }
  openWhole(native, device, graph, {
    'ep.context_enable': '1',
    'ep.context_file_path': output,
    'ep.context_embed_mode': '1',
  });
}

/** Opens a graph on the device alone and closes it. */
function openWhole(
  native: NativeAddon,
  { index, epOptions }: OpenDevice,
  path: string,
  config: Record<string, string>,
): void {
  native
    .openSession(path, {
      devices: [index],
      epOptions,
      threads: 1,
      config: { 'session.disable_cpu_ep_fallback': '1', ...config },
    })
    .close();
}
