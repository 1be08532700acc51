/** What computes the pilot's scores. Lives on the pilot thread, which waits for it, so that it runs beside the CPU's stages. */

/** One launch: the scores of a few heads of a layer under one graph. */
export interface Launch {
  layer: number;
  heads: readonly number[];
  /** Place in the plan of the first head; the others follow. */
  place: number;
  /** Keys that exist, and key length of the graph: columns from `keys` on are never looked at. */
  keys: number;
  paddedKeys: number;
  /** Declared scales of the graph. */
  lambdaQ: number;
  lambdaK: number;
}

export interface PilotBackend {
  /** Gathers the inputs of a launch. Throws what the device says. */
  load(launch: Launch): void;
  /** Writes u8 scores as `pilotGraph` defines them to the places of the launch. Throws what the device says. */
  run(launch: Launch): void;
  close(): void;
}

/** Integer product of a query and a key that saturates the output byte, for one column of a head. */
const RANGE_PER_COLUMN = 187.5;

/**
 * Range of the graphs' output (PilotGraph.range). Scores far above the mean may saturate: they are kept anyway, and finer steps
 * order the rest better. On the golden heads recall of the top 20 % is 0.97 to 0.985 with it, 0.96 with twice as much.
 */
export function scoreRange(headDim: number): number {
  return RANGE_PER_COLUMN * headDim;
}
