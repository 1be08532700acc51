/** Plans matrices whose stored values reach the bundle unchanged: 8-bit blocks where the storage type has them, else float32. */
import type { LayerWeights } from '../graph/blocks.ts';
import type { Linear } from '../graph/linear.ts';
import type { Region } from '../graph/onnx.ts';
import type { LayerSource, Matrix } from './import-source.ts';
import type { RegionAllocator, Step, WeightWriter, WriteJob } from './import-weights.ts';
import type { EmbeddingLayout } from './manifest.ts';

/** Elements that are worked on at a time: bounds memory to a few times 4 MB. */
const PIECE_ELEMENTS = 1 << 20;

/** Neighbours in a set that share a storage form; they become one matrix, rows below one another. */
interface Group {
  matrices: Matrix[];
  rows: number;
  cols: number;
  blocks: Matrix['blocks'];
}

/**
 * Lays out `sets` of matrices with equal columns (e.g. query, key, value) and adds the jobs that fill them. Per set,
 * matrices of one storage form are fused, rows in order. `accuracy` is that of `Linear`.
 */
export function planLossless(
  sets: readonly (readonly Matrix[])[],
  accuracy: 0 | 4,
  allocator: RegionAllocator,
  jobs: WriteJob[],
): Linear[][] {
  const groups = sets.map(groupByForm);
  // Zero points are all 128: one region serves every matrix, each with as much of it as it needs.
  const zeroBytes = Math.max(0, ...groups.flat().map(zeroPointCount));
  const zero = allocator.allocate(zeroBytes);
  jobs.push(fillJob(zero, 128));
  return groups.map((set) => set.map((group) => planGroup(group, accuracy, zero, allocator, jobs)));
}

/** A float32 copy of a tensor, or of several one after the other, in a region of its own. */
export function planFloat(matrices: Matrix | readonly Matrix[], allocator: RegionAllocator, jobs: WriteJob[]): Region {
  const all = [matrices].flat();
  const region = allocator.allocate(all.reduce((sum, { rows, cols }) => sum + rows * cols * 4, 0));
  let at = 0;
  for (const matrix of all) {
    jobs.push(floatJob(matrix, region, at));
    at += matrix.rows * matrix.cols * 4;
  }
  return region;
}

/** The normalisations of a layer that both flavours keep as they are. */
export function planInnerNorms(
  { headNorm, postNorm }: LayerSource,
  allocator: RegionAllocator,
  jobs: WriteJob[],
): Pick<LayerWeights, 'headNorm' | 'postNorm'> {
  const plan = (matrix: Matrix) => planFloat(matrix, allocator, jobs);
  return {
    headNorm: headNorm && { query: plan(headNorm.query), key: plan(headNorm.key) },
    postNorm: postNorm && { attention: plan(postNorm.attention), ffn: plan(postNorm.ffn) },
  };
}

/** Where the rows of an embedding lie that was planned as `linear`. */
export function embeddingLayout(linear: Linear): EmbeddingLayout {
  switch (linear.kind) {
    case 'float32':
      return { kind: 'float32', file: linear.weight.file, offset: linear.weight.offset };
    case 'blocks':
      return {
        kind: 'blocks',
        blockSize: linear.blockSize,
        file: linear.q.file,
        qOffset: linear.q.offset,
        scaleOffset: linear.scale.offset,
        addOffset: linear.add?.offset ?? null,
      };
    case 'rowInt8':
      throw new Error('an embedding is never stored transposed');
  }
}

/** Calls `work` for pieces of the matrix's rows, few enough at a time to bound memory. */
export async function forRowPieces(
  matrix: Matrix,
  work: (first: number, count: number) => Promise<void>,
): Promise<void> {
  const piece = Math.max(1, Math.floor(PIECE_ELEMENTS / matrix.cols));
  for (let first = 0; first < matrix.rows; first += piece) {
    await work(first, Math.min(piece, matrix.rows - first));
  }
}

function groupByForm(set: readonly Matrix[]): Group[] {
  const groups: Group[] = [];
  for (const matrix of set) {
    const { rows, cols, blocks } = matrix;
    const last = groups.at(-1);
    if (last !== undefined && last.blocks?.size === blocks?.size && last.blocks?.affine === blocks?.affine) {
      last.matrices.push(matrix);
      last.rows += rows;
    } else {
      groups.push({ matrices: [matrix], rows, cols, blocks });
    }
  }
  return groups;
}

function zeroPointCount(group: Group): number {
  return group.blocks === null ? 0 : (group.rows * group.cols) / group.blocks.size;
}

function planGroup(group: Group, accuracy: 0 | 4, zero: Region, allocator: RegionAllocator, jobs: WriteJob[]): Linear {
  const { rows, cols, blocks } = group;
  let firstRow = 0;
  if (blocks === null) {
    const weight = allocator.allocate(rows * cols * 4);
    for (const matrix of group.matrices) {
      jobs.push(floatJob(matrix, weight, firstRow * cols * 4));
      firstRow += matrix.rows;
    }
    return { kind: 'float32', rows, cols, weight };
  }
  const count = zeroPointCount(group);
  const q = allocator.allocate(rows * cols);
  const scale = allocator.allocate(count * 4);
  const add = blocks.affine ? allocator.allocate(count * 4) : null;
  for (const matrix of group.matrices) {
    jobs.push(blocksJob(matrix, { q, scale, add }, firstRow));
    firstRow += matrix.rows;
  }
  return {
    kind: 'blocks',
    rows,
    cols,
    blockSize: blocks.size,
    q,
    scale,
    zero: { ...zero, bytes: count },
    add,
    accuracy,
  };
}

/** Writes the matrix from byte `at` of the region on. */
function floatJob(matrix: Matrix, region: Region, at: number): WriteJob {
  const { rows, cols } = matrix;
  const run = (out: WeightWriter, step: Step) =>
    forRowPieces(matrix, async (first, count) => {
      const values = await matrix.floatRows(first, count);
      await out.write(region, at + first * cols * 4, values);
      await step(values.byteLength);
    });
  return { bytes: rows * cols * 4, run };
}

function blocksJob(
  matrix: Matrix,
  regions: { q: Region; scale: Region; add: Region | null },
  firstRow: number,
): WriteJob {
  const { rows, cols } = matrix;
  const perRow = cols / (matrix.blocks?.size ?? cols);
  const run = (out: WeightWriter, step: Step) =>
    forRowPieces(matrix, async (first, count) => {
      const { q, scale, add } = await matrix.blockRows(first, count);
      const row = firstRow + first;
      await out.write(regions.q, row * cols, q);
      await out.write(regions.scale, row * perRow * 4, scale);
      if (regions.add !== null && add !== null) await out.write(regions.add, row * perRow * 4, add);
      await step(q.byteLength + scale.byteLength + (add?.byteLength ?? 0));
    });
  return { bytes: rows * cols + rows * perRow * (regions.add === null ? 4 : 8), run };
}

function fillJob(region: Region, value: number): WriteJob {
  return {
    bytes: region.bytes,
    async run(out, step) {
      await out.write(region, 0, new Uint8Array(region.bytes).fill(value));
      await step(region.bytes);
    },
  };
}
