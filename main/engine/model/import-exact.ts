/** Plans the exact flavour: every weight keeps its stored value, products run in float32. */
import type { Linear } from '../graph/linear.ts';
import { embeddingLayout, planFloat, planInnerNorms, planLossless } from './import-lossless.ts';
import type { ModelSource } from './import-source.ts';
import { RegionAllocator, type WeightPlan, type WriteJob } from './import-weights.ts';

/** Lays out the exact flavour of `source`. */
export function planExact(source: ModelSource): WeightPlan {
  const allocator = new RegionAllocator();
  const jobs: WriteJob[] = [];
  const sets = source.layers.map((l) => [[l.query, l.key, l.value], [l.out], [l.gate, l.up], [l.down]]);
  const linears = planLossless([[source.embedding], ...otherHead(source), ...sets.flat()], 0, allocator, jobs);
  const embedding = only(linears.shift());
  const head = source.output === null ? embedding : only(linears.shift());
  const layers = source.layers.map((layer) => ({
    attnNorm: planFloat(layer.attnNorm, allocator, jobs),
    ffnNorm: planFloat(layer.ffnNorm, allocator, jobs),
    qkv: linears.shift() ?? [],
    qkvBias: layer.bias && planFloat(Object.values(layer.bias), allocator, jobs),
    ...planInnerNorms(layer, allocator, jobs),
    out: only(linears.shift()),
    gateUp: linears.shift() ?? [],
    down: only(linears.shift()),
  }));
  const outputNorm = planFloat(source.outputNorm, allocator, jobs);
  return { layers, outputNorm, head, embedding: embeddingLayout(embedding), bytes: allocator.bytes, jobs };
}

/** The output matrix as a set of its own, where it is not the embedding. */
function otherHead(source: ModelSource): ModelSource['embedding'][][] {
  return source.output === null ? [] : [[source.output]];
}

function only(set: Linear[] | undefined): Linear {
  const [linear] = set ?? [];
  if (linear === undefined) throw new Error('a planned projection is missing');
  return linear;
}
