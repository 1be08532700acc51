/**
 * Writes ONNX models: nodes, small constants inline, weights by reference to an external file beside the graph.
 * Knows nothing of language models; linear.ts and blocks.ts build on it.
 */
import protobuf from 'protobufjs';
import { ONNX_PROTO } from './onnx-proto.ts';

const IR_VERSION = 10;
const OPSETS = [
  { domain: '', version: 21 },
  { domain: 'com.microsoft', version: 1 },
];

/** ONNX Runtime's own operators live here; '' is the standard's. */
export const CONTRIB = 'com.microsoft';

/** Element types by their number in TensorProto.DataType. */
export const DATA_TYPE = {
  float32: 1,
  uint8: 2,
  int8: 3,
  uint16: 4,
  int32: 6,
  int64: 7,
  float16: 10,
  int4: 22,
} as const;
export type ElementType = keyof typeof DATA_TYPE;
/** int4: two to a byte, the first in the low half. */
const ELEMENT_BITS: Record<ElementType, number> = {
  float32: 32,
  uint8: 8,
  int8: 8,
  uint16: 16,
  int32: 32,
  int64: 64,
  float16: 16,
  int4: 4,
};

const EXTERNAL = 1; // TensorProto.DataLocation

/** An extent: a number, or the name of a dynamic one. */
export type Extent = number | string;
/** Attribute values carry their type, since 1 and 1.0 are the same number in JavaScript. */
export type Attribute = { int: number } | { float: number } | { string: string };
/** Bytes of an external file. `offset` should be a multiple of 64, so that they can be mapped into memory. */
export interface Region {
  file: string;
  offset: number;
  bytes: number;
}

interface Constant {
  name: string;
  dataType: number;
  dims: number[];
  rawData?: Uint8Array;
  dataLocation?: number;
  externalData?: { key: string; value: string }[];
}

let modelType: protobuf.Type | undefined;

/** Parsed once per process, at the first import of a model. */
export function modelProto(): protobuf.Type {
  modelType ??= protobuf.parse(ONNX_PROTO).root.lookupType('onnx.ModelProto');
  return modelType;
}

/** Collects one graph. Names of values are unique; `node` makes them up. */
export class GraphBuilder {
  readonly #nodes: object[] = [];
  readonly #inputs: object[] = [];
  readonly #outputs: object[] = [];
  readonly #constants = new Map<string, Constant>();
  #count = 0;

  /** Declares an input and returns its name. */
  input(name: string, dims: Extent[], type: ElementType = 'float32'): string {
    this.#inputs.push(valueInfo(name, dims, type));
    return name;
  }

  /** Declares that the value `name` leaves the graph. */
  output(name: string, dims: Extent[], type: ElementType = 'float32'): void {
    this.#outputs.push(valueInfo(name, dims, type));
  }

  /** Adds a node with one output and returns the output's name (made up unless `output` gives it). */
  node(
    opType: string,
    inputs: string[],
    more: { attributes?: Record<string, Attribute>; domain?: string; output?: string } = {},
  ): string {
    const [output] = this.nodes(opType, inputs, 1, {
      ...more,
      ...(more.output === undefined ? {} : { outputs: [more.output] }),
    });
    if (output === undefined) throw new Error(`${opType} has no output`);
    return output;
  }

  /** Adds a node with `count` outputs and returns their names. */
  nodes(
    opType: string,
    inputs: string[],
    count: number,
    more: { attributes?: Record<string, Attribute>; domain?: string; outputs?: string[] } = {},
  ): string[] {
    const id = this.#count++;
    const outputs = more.outputs ?? Array.from({ length: count }, (_, i) => `${opType}_${id}_${i}`);
    this.#nodes.push({
      opType,
      name: `${opType}_${id}`,
      domain: more.domain ?? '',
      input: inputs,
      output: outputs,
      attribute: Object.entries(more.attributes ?? {}).map(([name, value]) => encodeAttribute(name, value)),
    });
    return outputs;
  }

  /** A small constant stored in the graph itself. The same name again is the same constant. */
  constant(
    name: string,
    type: ElementType,
    dims: number[],
    data: Float32Array | Uint8Array | Int8Array | Uint16Array | BigInt64Array,
  ): string {
    if (!this.#constants.has(name)) {
      checkBytes(name, type, dims, data.byteLength);
      const rawData = new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
      this.#constants.set(name, { name, dataType: DATA_TYPE[type], dims, rawData });
    }
    return name;
  }

  /** A constant whose bytes lie in `region`, a file in the folder of the graph. */
  external(name: string, type: ElementType, dims: number[], region: Region): string {
    if (!this.#constants.has(name)) {
      checkBytes(name, type, dims, region.bytes);
      this.#constants.set(name, {
        name,
        dataType: DATA_TYPE[type],
        dims,
        dataLocation: EXTERNAL,
        externalData: [
          { key: 'location', value: region.file },
          { key: 'offset', value: String(region.offset) },
          { key: 'length', value: String(region.bytes) },
        ],
      });
    }
    return name;
  }

  /** The bytes of the .onnx file. */
  encode(): Uint8Array {
    const model = {
      irVersion: IR_VERSION,
      opsetImport: OPSETS,
      producerName: 'ShadowNPU',
      graph: {
        name: 'graph',
        node: this.#nodes,
        initializer: [...this.#constants.values()],
        input: this.#inputs,
        output: this.#outputs,
      },
    };
    const problem = modelProto().verify(model);
    if (problem !== null) throw new Error(`malformed ONNX model: ${problem}`);
    return modelProto().encode(model).finish();
  }
}

function valueInfo(name: string, dims: Extent[], type: ElementType): object {
  const dim = dims.map((d) => (typeof d === 'number' ? { dimValue: d } : { dimParam: d }));
  return { name, type: { tensorType: { elemType: DATA_TYPE[type], shape: { dim } } } };
}

function checkBytes(name: string, type: ElementType, dims: number[], bytes: number): void {
  const expected = Math.ceil(dims.reduce((a, b) => a * b, ELEMENT_BITS[type]) / 8);
  if (expected !== bytes) throw new Error(`constant ${name} needs ${expected} bytes, got ${bytes}`);
}

function encodeAttribute(name: string, value: Attribute): object {
  if ('int' in value) return { name, type: 2, i: value.int };
  if ('float' in value) return { name, type: 1, f: value.float };
  return { name, type: 3, s: new TextEncoder().encode(value.string) };
}
