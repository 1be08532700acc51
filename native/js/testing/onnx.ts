/** Writes tiny ONNX graphs for tests: just enough protobuf, and nothing in common with the engine's own writer. */

export const FLOAT = 1;
export const UINT8 = 2;
export const INT8 = 3;
export const INT32 = 6;

export interface Value {
  name: string;
  type: number;
  /** A string is the name of a dynamic extent. */
  dims: (number | string)[];
}

export interface Initializer {
  name: string;
  type: number;
  dims: number[];
  /** Raw little-endian bytes, or where they lie in a file beside the model. */
  data: Uint8Array | { location: string; offset: number; length: number };
}

export interface Graph {
  nodes: { op: string; inputs: string[]; outputs: string[] }[];
  inputs: Value[];
  outputs: Value[];
  initializers?: Initializer[];
}

function varint(value: number): Buffer {
  const bytes: number[] = [];
  let rest = value;
  do {
    const low = rest % 128;
    rest = Math.floor(rest / 128);
    bytes.push(rest > 0 ? low + 128 : low);
  } while (rest > 0);
  return Buffer.from(bytes);
}

const int = (field: number, value: number) => Buffer.concat([varint(field * 8), varint(value)]);
const bytes = (field: number, value: Uint8Array) => Buffer.concat([varint(field * 8 + 2), varint(value.length), value]);
const text = (field: number, value: string) => bytes(field, Buffer.from(value));

function value({ name, type, dims }: Value): Buffer {
  const extents = dims.map((dim) => bytes(1, typeof dim === 'number' ? int(1, dim) : text(2, dim)));
  const tensor = Buffer.concat([int(1, type), bytes(2, Buffer.concat(extents))]);
  return Buffer.concat([text(1, name), bytes(2, bytes(1, tensor))]);
}

function initializer({ name, type, dims, data }: Initializer): Buffer {
  const head = [...dims.map((dim) => int(1, dim)), int(2, type), text(8, name)];
  if (data instanceof Uint8Array) return Buffer.concat([...head, bytes(9, data)]);
  const entries = Object.entries(data).map(([key, entry]) =>
    bytes(13, Buffer.concat([text(1, key), text(2, String(entry))])),
  );
  return Buffer.concat([...head, ...entries, int(14, 1)]);
}

/** The bytes of a model of opset 21. */
export function onnxModel({ nodes, inputs, outputs, initializers = [] }: Graph): Buffer {
  const graph = Buffer.concat([
    ...nodes.map((node) =>
      bytes(
        1,
        Buffer.concat([
          ...node.inputs.map((name) => text(1, name)),
          ...node.outputs.map((name) => text(2, name)),
          text(4, node.op),
        ]),
      ),
    ),
    text(2, 'test'),
    ...initializers.map((tensor) => bytes(5, initializer(tensor))),
    ...inputs.map((port) => bytes(11, value(port))),
    ...outputs.map((port) => bytes(12, value(port))),
  ]);
  const opset = Buffer.concat([text(1, ''), int(2, 21)]);
  return Buffer.concat([int(1, 10), bytes(7, graph), bytes(8, opset)]);
}

/** The bytes of a typed array. */
export const bytesOf = (array: ArrayBufferView) => new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
