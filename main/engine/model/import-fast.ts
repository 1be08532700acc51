/**
 * Plans the fast flavour: projections as 8-bit integers with one scale per output channel, smoothed by what a calibration
 * run measured. What enters a down projection varies too much within a row for one scale, so that it has several groups
 * of channels instead of smoothing (docs/decisions/0008). The head keeps the file's blocks, multiplied in 8 bits block
 * by block.
 * Memory holds one projection as integers at a time.
 */
import type { Linear } from '../graph/linear.ts';
import { embeddingLayout, forRowPieces, planFloat, planInnerNorms, planLossless } from './import-lossless.ts';
import { asBlocks } from './import-round.ts';
import { quantiseRows, raiseColumnMaxima, transposeInto } from './import-row-int8.ts';
import type { LayerSource, Matrix, ModelSource } from './import-source.ts';
import { RegionAllocator, type Step, type WeightPlan, type WeightWriter, type WriteJob } from './import-weights.ts';
import type { CalibrationStats } from './manifest.ts';
import { maxPerValueChannel, smoothingFactors, spreadToOutputs } from './smooth.ts';

/** Rows of a projection that come from one tensor; each row is divided by its entry of `divisor`. */
interface Part {
  matrix: Matrix;
  divisor?: Float32Array;
}

type RowInt8 = Linear & { kind: 'rowInt8' };
type LayerStats = CalibrationStats['layers'][number];

/** Lays out the fast flavour. `stats` is asked for when the jobs run, so that sizes are known before calibration. */
export function planFast(source: ModelSource, stats: () => CalibrationStats): WeightPlan {
  const allocator = new RegionAllocator();
  const jobs: WriteJob[] = [];
  const tables = source.output === null ? [asBlocks(source.embedding)] : [source.embedding, asBlocks(source.output)];
  const sets = tables.map((matrix) => [matrix]);
  const planned = planLossless(sets, 4, allocator, jobs).map(([linear]) => required(linear));
  const embedding = required(planned[0]);
  const head = required(planned[tables.length - 1]);

  const layers = source.layers.map((layer, i) => {
    const plan = planLayer(layer, allocator);
    const linears = [plan.qkv, plan.out, plan.gateUp, plan.down];
    jobs.push({
      bytes: linears.reduce((sum, w) => sum + w.q.bytes + w.scale.bytes, 0),
      run: (out, step) => writeLayer(source, layer, layerStats(stats(), i, layer), plan, out, step),
    });
    return { ...plan, ...planInnerNorms(layer, allocator, jobs), qkv: [plan.qkv], gateUp: [plan.gateUp] };
  });
  const outputNorm = planFloat(source.outputNorm, allocator, jobs);
  return {
    layers,
    outputNorm,
    head,
    embedding: embeddingLayout(embedding),
    bytes: allocator.bytes,
    jobs,
  };
}

/** Where what calibration changes of a layer will lie. */
function planLayer(layer: LayerSource, allocator: RegionAllocator) {
  const { query, key, value, out, gate, up, down } = layer;
  const rows = query.rows + key.rows + value.rows;
  return {
    attnNorm: allocator.allocate(layer.attnNorm.cols * 4),
    ffnNorm: allocator.allocate(layer.ffnNorm.cols * 4),
    qkv: planRowInt8(allocator, rows, query.cols),
    qkvBias: layer.bias && allocator.allocate(rows * 4),
    out: planRowInt8(allocator, out.rows, out.cols),
    gateUp: planRowInt8(allocator, gate.rows + up.rows, gate.cols),
    down: planRowInt8(allocator, down.rows, down.cols, groupsOf(down.cols)),
  };
}

/** Fewest channels of a group: what its own scaling and adding cost is then small beside its product. */
const GROUP_CHANNELS = 512;

/** The most groups of equal length that are long enough, 1 where none fit. */
function groupsOf(cols: number): number {
  let groups = Math.max(1, Math.floor(cols / GROUP_CHANNELS));
  while (cols % groups !== 0) groups--;
  return groups;
}

function planRowInt8(allocator: RegionAllocator, rows: number, cols: number, groups = 1): RowInt8 {
  const q = allocator.allocate(rows * cols);
  return { kind: 'rowInt8', rows, cols, groups, q, scale: allocator.allocate(groups * rows * 4) };
}

async function writeLayer(
  source: ModelSource,
  layer: LayerSource,
  stats: LayerStats,
  planned: ReturnType<typeof planLayer>,
  out: WeightWriter,
  step: Step,
): Promise<void> {
  const { config } = source;
  const { query, key, value, gate, up } = layer;
  const intoQkv = smoothingFactors(stats.qkv, await columnMaxima([query, key, value], step));
  const intoGateUp = smoothingFactors(stats.gateUp, await columnMaxima([gate, up], step));
  // The heads of a group read the same values, so they share the factors by which the value rows are divided.
  const perValue = smoothingFactors(
    maxPerValueChannel(stats.out, config),
    maxPerValueChannel(await columnMaxima([layer.out], step), config),
  );

  await out.write(planned.attnNorm, 0, divide(await layer.attnNorm.floatRows(0, 1), intoQkv));
  await out.write(planned.ffnNorm, 0, divide(await layer.ffnNorm.floatRows(0, 1), intoGateUp));
  const qkv = [{ matrix: query }, { matrix: key }, { matrix: value, divisor: perValue }];
  await writeRowInt8(qkv, intoQkv, planned.qkv, out, step);
  if (layer.bias && planned.qkvBias) {
    const bias = [layer.bias.query, layer.bias.key, layer.bias.value].map((vector) => vector.floatRows(0, 1));
    const [ofQuery, ofKey, ofValue] = (await Promise.all(bias)) as [Float32Array, Float32Array, Float32Array];
    await out.write(planned.qkvBias, 0, Float32Array.from([...ofQuery, ...ofKey, ...divide(ofValue, perValue)]));
  }
  await writeRowInt8([{ matrix: layer.out }], spreadToOutputs(perValue, config), planned.out, out, step);
  await writeRowInt8([{ matrix: gate }, { matrix: up }], intoGateUp, planned.gateUp, out, step);
  await writeRowInt8([{ matrix: layer.down }], new Float32Array(layer.down.cols).fill(1), planned.down, out, step);
}

/** max |w| per column over all rows of all matrices. */
async function columnMaxima(matrices: Matrix[], step: Step): Promise<Float32Array> {
  const maxima = new Float32Array(matrices[0]?.cols ?? 0);
  for (const matrix of matrices) {
    await forRowPieces(matrix, async (first, count) => {
      raiseColumnMaxima(maxima, await matrix.floatRows(first, count));
      await step(0);
    });
  }
  return maxima;
}

/** Quantises the parts' rows, columns multiplied by `columnFactor`, and writes them transposed, as `Linear` wants them. */
async function writeRowInt8(
  parts: Part[],
  columnFactor: Float32Array,
  planned: RowInt8,
  out: WeightWriter,
  step: Step,
): Promise<void> {
  const { rows, cols, groups } = planned;
  const q = new Int8Array(cols * rows);
  const scale = new Float32Array(groups * rows);
  let firstRow = 0;
  for (const { matrix, divisor } of parts) {
    await forRowPieces(matrix, async (first, count) => {
      const piece = quantiseRows(await matrix.floatRows(first, count), columnFactor, groups);
      transposeInto(q, rows, firstRow + first, piece.q, cols);
      // A row's divisor is the same for all of it, so it goes into the scale alone.
      piece.scale.forEach((value, i) => {
        const r = first + (i % count);
        scale[Math.floor(i / count) * rows + firstRow + r] = value / (divisor?.[r] ?? 1);
      });
      await step(count * cols);
    });
    firstRow += matrix.rows;
  }
  await out.write(planned.q, 0, q);
  await out.write(planned.scale, 0, scale);
  await step(planned.scale.bytes);
}

function required<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('a matrix was not planned');
  return value;
}

function divide(values: Float32Array, by: Float32Array): Float32Array {
  return values.map((value, i) => value / (by[i] ?? 1));
}

/** The measured maxima of a layer; throws where a calibration gave too few, which would be a bug of its maker. */
function layerStats(stats: CalibrationStats, index: number, layer: LayerSource): LayerStats {
  const found = stats.layers[index];
  if (
    found?.qkv.length !== layer.query.cols ||
    found.out.length !== layer.out.cols ||
    found.gateUp.length !== layer.gate.cols
  ) {
    throw new Error(`calibration has no channel maxima for layer ${index}`);
  }
  return found;
}
