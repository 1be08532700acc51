/** Reads back what GraphBuilder has written: where the constants of a graph lie. */
import { DATA_TYPE, type ElementType, modelProto, type Region } from './onnx.ts';

/** A constant whose bytes lie in an external file. */
export interface StoredConstant {
  type: ElementType;
  dims: number[];
  region: Region;
}

interface ModelFields {
  graph?: { initializer?: TensorFields[] };
}
interface TensorFields {
  name?: string;
  dataType?: number;
  dims?: unknown[];
  externalData?: { key?: string; value?: string }[];
}

/** External constants of the .onnx file `bytes` by name. Throws Error where it is not one of ours. */
export function externalConstants(bytes: Uint8Array): Map<string, StoredConstant> {
  const model: ModelFields = modelProto().toObject(modelProto().decode(bytes), { longs: Number });
  const found = new Map<string, StoredConstant>();
  for (const { name = '', dataType, dims = [], externalData = [] } of model.graph?.initializer ?? []) {
    if (externalData.length === 0) continue;
    const field = (key: string) => externalData.find((entry) => entry.key === key)?.value;
    const type = (Object.keys(DATA_TYPE) as ElementType[]).find((known) => DATA_TYPE[known] === dataType);
    const file = field('location');
    const [offset, size] = [Number(field('offset')), Number(field('length'))];
    if (type === undefined || file === undefined || !Number.isSafeInteger(offset) || !Number.isSafeInteger(size)) {
      throw new Error(`the constant ${name} cannot be read back`);
    }
    found.set(name, { type, dims: dims.map(Number), region: { file, offset, bytes: size } });
  }
  return found;
}
