/** One graph through an execution provider's compiler, on the calling thread. */
import type { NativeAddon } from '../../../native/js/index.ts';
import type { CompileJob } from './compile-graphs.ts';
import type { OpenDevice } from './registry.ts';

/**
 * Writes the compiled form of a graph: one file with an EPContext node that holds the code. Nothing may be left to the
 * processor. Takes from a second to minutes. Throws what ONNX Runtime says.
 */
export function compileGraph(
  native: NativeAddon,
  { index, epOptions }: OpenDevice,
  { graph, output }: CompileJob,
): void {
  const session = native.openSession(graph, {
    devices: [index],
    epOptions,
    threads: 1,
    config: {
      'session.disable_cpu_ep_fallback': '1',
      'ep.context_enable': '1',
      'ep.context_file_path': output,
      'ep.context_embed_mode': '1',
    },
  });
  session.close();
}
