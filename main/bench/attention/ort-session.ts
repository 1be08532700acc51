/** Graphs that a benchmark makes for itself. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { NativeAddon, Session } from '../../../native/js/index.ts';

/** Opens a graph on the CPU provider; no file stays. @param graph bytes of an .onnx file @param threads of ONNX Runtime's pool */
export function openBytes(native: NativeAddon, graph: Uint8Array, threads: number): Session {
  const folder = mkdtempSync(join(tmpdir(), 'shadownpu-bench-'));
  try {
    const file = join(folder, 'graph.onnx');
    writeFileSync(file, graph);
    return native.openSession(file, { threads });
  } finally {
    rmSync(folder, { recursive: true });
  }
}
