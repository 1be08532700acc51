/** What `bench attention` concludes from its rounds: rows to print, and the figures by name. Pure. */
import { mean, ratios, type Spread, spread } from '../statistics.ts';

/** Names of the contestants that figures are about. */
export const FULL = 'full (fp32)';
export const INT8 = 'npu-full (INT8)';
export const SHADOW = 'shadow';
export const SHADOW_GIVEN = 'shadow, pilot elsewhere';
export const PAPER = 'paper 20 %';
export const PAPER_GIVEN = 'paper 20 %, pilot elsewhere';
export const ORT_MULTI_HEAD = 'ONNX Runtime MultiHeadAttention';
export const ORT_GROUP_QUERY = 'ONNX Runtime GroupQueryAttention';
/** Dense attention of ours, whatever its precision. */
const DENSE_OURS = [FULL, INT8];
const DENSE_ORT = [ORT_MULTI_HEAD, ORT_GROUP_QUERY];

export interface AttentionRow {
  /** Keys that the last of the 128 rows sees. */
  n: number;
  name: string;
  /** A head and chunk of 128 rows. */
  ms: Spread;
  /** Our dense float32 over this, and our fastest dense of any precision over this. */
  vsFp32: Spread;
  vsBestDense: Spread;
  /** Growth of the process's memory while it ran first, bytes; null where it ran before. */
  extraBytes: number | null;
}

/** Rows of one n. @param times milliseconds of a head and chunk, by contestant and round */
export function attentionRows(
  n: number,
  times: ReadonlyMap<string, readonly number[]>,
  extraBytes: ReadonlyMap<string, number>,
): AttentionRow[] {
  const dense = bestDense(times);
  const fp32 = times.get(FULL);
  return [...times].map(([name, ms]) => ({
    n,
    name,
    ms: spread(ms),
    vsFp32: fp32 ? ratios(fp32, ms) : spread([]),
    vsBestDense: dense ? ratios(dense, ms) : spread([]),
    extraBytes: extraBytes.get(name) ?? null,
  }));
}

function bestDense(times: ReadonlyMap<string, readonly number[]>): readonly number[] | undefined {
  const known = DENSE_OURS.map((name) => times.get(name)).filter((ms) => ms !== undefined);
  return known.sort((a, b) => spread(a).median - spread(b).median)[0];
}

/** The lengths that the named figures are means over. */
const FIGURE_LENGTHS = [1024, 2048, 4096];

/** The named figures; one is left out where a length that it needs was not run. */
export function attentionFigures(rows: readonly AttentionRow[]): Record<string, number> {
  /** Mean over the lengths; where several are named, of the fastest at each length. */
  const over = (names: readonly string[], value: (row: AttentionRow) => number): number | undefined => {
    const chosen = FIGURE_LENGTHS.map((n) => fastest(rows.filter((row) => row.n === n && names.includes(row.name))));
    const found = chosen.filter((row) => row !== undefined);
    return found.length === FIGURE_LENGTHS.length ? mean(found.map(value)) : undefined;
  };
  const figures = {
    kernel_pilot_elsewhere_vs_fp32: over([SHADOW_GIVEN], (row) => row.vsFp32.median),
    kernel_cpu_only_vs_fp32: over([SHADOW], (row) => row.vsFp32.median),
    kernel_cpu_only_vs_best_dense: over([SHADOW], (row) => row.vsBestDense.median),
    paper_pilot_elsewhere_vs_fp32: over([PAPER_GIVEN], (row) => row.vsFp32.median),
    paper_cpu_only_vs_fp32: over([PAPER], (row) => row.vsFp32.median),
    // How many times longer the faster of ONNX Runtime's operators takes than our dense kernel.
    dense_vs_ort: over(DENSE_ORT, (row) => 1 / row.vsFp32.median),
  };
  return Object.fromEntries(Object.entries(figures).filter(([, value]) => value !== undefined)) as Record<
    string,
    number
  >;
}

function fastest(rows: readonly AttentionRow[]): AttentionRow | undefined {
  return [...rows].sort((a, b) => a.ms.median - b.ms.median)[0];
}
