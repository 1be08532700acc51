/** Reads back what linear.ts has written: how the constants of a graph store a projection. */
import type { Linear } from './linear.ts';
import type { ElementType, Region } from './onnx.ts';
import type { StoredConstant } from './onnx-read.ts';

/** Projections `name`0, `name`1 and so on. */
export function storedLinears(constants: ReadonlyMap<string, StoredConstant>, name: string): Linear[] {
  const found: Linear[] = [];
  for (;;) {
    const part = storedLinear(constants, `${name}${found.length}`);
    if (part === undefined) return found;
    found.push(part);
  }
}

type RowInt8 = Linear & { kind: 'rowInt8' };

function int8Group(constants: ReadonlyMap<string, StoredConstant>, name: string): RowInt8 | undefined {
  const q = constants.get(`${name}.q`);
  const scale = constants.get(`${name}.scale`);
  if (q?.type !== 'int8' || scale === undefined) return undefined;
  const { rows: cols, cols: rows } = extents(q.dims);
  return { kind: 'rowInt8', rows, cols, groups: 1, q: q.region, scale: scale.region };
}

/** Groups `name`.0, `name`.1 and so on of one projection, which lie one after the other. */
function int8Groups(constants: ReadonlyMap<string, StoredConstant>, name: string): RowInt8 | undefined {
  const first = int8Group(constants, `${name}.0`);
  if (first === undefined) return undefined;
  let groups = 1;
  while (constants.has(`${name}.${groups}.q`)) groups++;
  const all = (region: Region) => ({ ...region, bytes: region.bytes * groups });
  return { ...first, cols: first.cols * groups, groups, q: all(first.q), scale: all(first.scale) };
}

/** The projection `name` in the form in which the graph stores it; undefined where the graph has none of that name. */
export function storedLinear(constants: ReadonlyMap<string, StoredConstant>, name: string): Linear | undefined {
  const get = (part: string, type: ElementType) => {
    const found = constants.get(`${name}.${part}`);
    return found?.type === type ? found : undefined;
  };
  const weight = get('weight', 'float32');
  if (weight) return { kind: 'float32', ...extents(weight.dims), weight: weight.region };
  const scale = get('scale', 'float32');
  const int8 = int8Group(constants, name) ?? int8Groups(constants, name);
  if (int8) return int8;
  const q = get('q', 'uint8');
  const zero = get('zero', 'uint8');
  if (!q || !scale || !zero) return undefined;
  const { rows, cols } = extents(q.dims);
  return {
    kind: 'blocks',
    rows,
    cols,
    blockSize: (rows * cols * 4) / scale.region.bytes,
    q: q.region,
    scale: scale.region,
    zero: zero.region,
    add: get('add', 'float32')?.region ?? null,
    accuracy: 0,
  };
}

function extents([rows = 0, ...rest]: number[]): { rows: number; cols: number } {
  return { rows, cols: rest.reduce((a, b) => a * b, 1) };
}
