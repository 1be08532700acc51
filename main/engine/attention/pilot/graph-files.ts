/** The pilot's graphs on disk: written when first needed, made anew where a file is not what it should be. */
import { createHash, randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type PilotGraph, pilotGraph } from '../../graph/pilot.ts';

/**
 * Path of the graph's file in `folder`. Its name holds a digest of its content, so that graphs of another version of the
 * writer or of other scales never meet; the content is compared, since a file may be cut short.
 * @throws the file system's error where the folder cannot be written
 */
export function pilotGraphFile(folder: string, graph: PilotGraph): string {
  const bytes = pilotGraph(graph);
  const digest = createHash('sha256').update(bytes).digest('hex').slice(0, 16);
  const path = join(folder, `pilot-${graph.heads}x${graph.rows}x${graph.headDim}x${graph.keys}-${digest}.onnx`);
  if (existsSync(path) && readFileSync(path).equals(bytes)) return path;
  mkdirSync(folder, { recursive: true });
  const temporary = `${path}.${process.pid}-${randomBytes(4).toString('hex')}.tmp`;
  try {
    writeFileSync(temporary, bytes);
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
  return path;
}
