/** A graph of the pilot as attention launches it, with bytes all over the range. */
import { scoreRange } from '../../../main/engine/attention/pilot/backend.ts';
import { pilotGraphFile } from '../../../main/engine/attention/pilot/graph-files.ts';
import { bytes, type Case } from './device-run.ts';

/** Four heads of a chunk of 128 queries against 1024 keys of 64 columns. @param folder for the graph */
export function pilotCase(folder: string): Case {
  const [heads, rows, keys, headDim] = [4, 128, 1024, 64];
  const shape = { heads, rows, keys, headDim, lambdaQ: 0.02, lambdaK: 0.03, range: scoreRange(headDim) };
  return {
    graph: pilotGraphFile(folder, shape),
    inputs: [bytes(heads * rows * headDim, 1), bytes(heads * headDim * keys, 2)],
  };
}
