/** The ORT host through the real addon and the real library. Graphs are made here, files lie in a folder of their own. */
import { mkdtempSync, readFileSync, renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import type { NativeErrorCode, NumericArray, Session, SessionOptions, Tensor } from './index.ts';
import { loadNative } from './load.ts';
import { bytesOf, FLOAT, type Graph, INT8, INT32, onnxModel, UINT8 } from './testing/onnx.ts';

function withCode(code: NativeErrorCode) {
  return expect.objectContaining({ code });
}

const native = loadNative();
const folder = mkdtempSync(join(tmpdir(), 'shadownpu ort 测试 '));
const opened: Session[] = [];
let files = 0;

function write(graph: Graph, name = `graph${files++}.onnx`): string {
  const path = join(folder, name);
  writeFileSync(path, onnxModel(graph));
  return path;
}

function open(path: string, options?: SessionOptions): Session {
  const session = native.openSession(path, options);
  opened.push(session);
  return session;
}

const tensor = (data: NumericArray, ...dims: number[]): Tensor => ({ data, dims });

afterEach(() => {
  for (const session of opened.splice(0)) session.close();
  expect(native.sessionCount()).toBe(0);
});
afterAll(() => rmSync(folder, { recursive: true }));

/** y = x + [10, 20, 30, 40], any number of rows. */
const addGraph: Graph = {
  nodes: [{ op: 'Add', inputs: ['x', 'w'], outputs: ['y'] }],
  inputs: [{ name: 'x', type: FLOAT, dims: ['rows', 4] }],
  outputs: [{ name: 'y', type: FLOAT, dims: ['rows', 4] }],
  initializers: [{ name: 'w', type: FLOAT, dims: [4], data: bytesOf(Float32Array.of(10, 20, 30, 40)) }],
};

/** `count` products with one square matrix in a row: long enough to be stopped between two of them. */
function chainGraph(size: number, count: number): Graph {
  return {
    nodes: Array.from({ length: count }, (_, i) => ({
      op: 'MatMul',
      inputs: [i === 0 ? 'x' : `t${i}`, 'w'],
      outputs: [i === count - 1 ? 'y' : `t${i + 1}`],
    })),
    inputs: [{ name: 'x', type: FLOAT, dims: [size, size] }],
    outputs: [{ name: 'y', type: FLOAT, dims: [size, size] }],
    initializers: [
      { name: 'w', type: FLOAT, dims: [size, size], data: bytesOf(new Float32Array(size * size).fill(1 / size)) },
    ],
  };
}

/** y = x w with w [2, 2] = 1, 2, 3, 4 in a file beside the model, from byte 8 on. */
const externalGraph = (location: string): Graph => ({
  nodes: [{ op: 'MatMul', inputs: ['x', 'w'], outputs: ['y'] }],
  inputs: [{ name: 'x', type: FLOAT, dims: [1, 2] }],
  outputs: [{ name: 'y', type: FLOAT, dims: [1, 2] }],
  initializers: [{ name: 'w', type: FLOAT, dims: [2, 2], data: { location, offset: 8, length: 16 } }],
});
const externalData = bytesOf(Float32Array.of(0, 0, 1, 2, 3, 4));

describe('library', () => {
  it('is loaded once and refuses another path', () => {
    expect(() => native.loadOrt('/no/such/library')).toThrow(withCode('ORT_UNAVAILABLE'));
    expect(loadNative()).toBe(native);
  });

  it('lists the processor as a device', () => {
    const cpu = native.devices().find((device) => device.ep === 'CPUExecutionProvider');
    expect(cpu).toMatchObject({ type: 'CPU', index: 0 });
    expect(Object.keys(cpu ?? {})).toHaveLength(10);
  });

  it('names what is wrong with an execution provider library', () => {
    const missing = join(folder, 'no-such-ep.so');
    expect(() => native.registerEpLibrary('nothing', missing)).toThrow(/no-such-ep/);
    expect(() => native.unregisterEpLibrary('nothing')).toThrow(withCode('ORT_NOT_FOUND'));
  });
});

describe('run', () => {
  it('describes a graph and runs any number of rows', () => {
    const session = open(write(addGraph));
    expect(session.describe()).toEqual([
      { name: 'x', output: false, type: 'float32', dims: [-1, 4] },
      { name: 'y', output: true, type: 'float32', dims: [-1, 4] },
    ]);
    expect([session.inputNames, session.outputNames]).toEqual([['x'], ['y']]);
    for (const rows of [1, 3, 2]) {
      const x = Float32Array.from({ length: rows * 4 }, (_, i) => i);
      const y = new Float32Array(rows * 4);
      session.run([tensor(x, rows, 4)], [tensor(y, rows, 4)]);
      expect(y).toEqual(x.map((value, i) => value + [10, 20, 30, 40][i % 4]!));
    }
  });

  it('runs zero rows', () => {
    const session = open(write(addGraph));
    session.run([tensor(new Float32Array(0), 0, 4)], [tensor(new Float32Array(0), 0, 4)]);
  });

  it('reads inputs afresh and writes outputs in place, on parts of shared memory', () => {
    const session = open(write(addGraph));
    const shared = new SharedArrayBuffer(64);
    const x = new Float32Array(shared, 16, 4);
    const y = new Float32Array(shared, 40, 4);
    for (const first of [1, 5]) {
      x.set([first, 2, 3, 4]);
      session.run([tensor(x, 1, 4)], [tensor(y, 1, 4)]);
      expect([...y]).toEqual([first + 10, 22, 33, 44]);
    }
    expect([...new Float32Array(shared, 32, 2)]).toEqual([0, 0]);
    expect([...new Float32Array(shared, 56, 2)]).toEqual([0, 0]);
  });

  it('runs uint8', () => {
    const session = open(
      write({
        nodes: [{ op: 'Max', inputs: ['a', 'b'], outputs: ['y'] }],
        inputs: ['a', 'b'].map((name) => ({ name, type: UINT8, dims: [3] })),
        outputs: [{ name: 'y', type: UINT8, dims: [3] }],
      }),
    );
    const y = new Uint8Array(3);
    session.run([tensor(Uint8Array.of(0, 200, 255), 3), tensor(Uint8Array.of(1, 100, 254), 3)], [tensor(y, 3)]);
    expect([...y]).toEqual([1, 200, 255]);
  });

  it('multiplies u8 by s8 exactly at the extremes, also on processors without VNNI', () => {
    const depth = 64;
    const session = open(
      write({
        nodes: [{ op: 'MatMulInteger', inputs: ['a', 'w'], outputs: ['y'] }],
        inputs: [{ name: 'a', type: UINT8, dims: [1, depth] }],
        outputs: [{ name: 'y', type: INT32, dims: [1, 8] }],
        initializers: [{ name: 'w', type: INT8, dims: [depth, 8], data: bytesOf(new Int8Array(depth * 8).fill(127)) }],
      }),
    );
    const y = new Int32Array(8);
    session.run([tensor(new Uint8Array(depth).fill(255), 1, depth)], [tensor(y, 1, 8)]);
    expect([...y]).toEqual(Array(8).fill(255 * 127 * depth));
  });

  it.each(['none', 'basic', 'extended', 'all'] as const)(
    'runs with optimisation %s and two threads',
    (optimization) => {
      const session = open(write(addGraph), {
        optimization,
        threads: 2,
        config: { 'session.dynamic_block_base': '4' },
      });
      const y = new Float32Array(4);
      session.run([tensor(new Float32Array(4), 1, 4)], [tensor(y, 1, 4)]);
      expect([...y]).toEqual([10, 20, 30, 40]);
    },
  );

  it('runs on a device chosen by index', () => {
    const session = open(write(addGraph), { devices: [0] });
    const y = new Float32Array(4);
    session.run([tensor(new Float32Array(4), 1, 4)], [tensor(y, 1, 4)]);
    expect([...y]).toEqual([10, 20, 30, 40]);
  });
});

describe('arguments', () => {
  const four = () => new Float32Array(4);
  const bad: [string, Tensor[], Tensor[], typeof RangeError | typeof TypeError, RegExp][] = [
    ['too few inputs', [], [tensor(four(), 1, 4)], RangeError, /1 inputs, not 0/],
    ['too many outputs', [tensor(four(), 1, 4)], [tensor(four(), 1, 4), tensor(four(), 1, 4)], RangeError, /1 outputs/],
    [
      'another rank',
      [tensor(four(), 4)],
      [tensor(four(), 1, 4)],
      RangeError,
      /input 'x' is declared as \[\?, 4\], not \[4\]/,
    ],
    ['another fixed extent', [tensor(four(), 2, 2)], [tensor(four(), 1, 4)], RangeError, /not \[2, 2\]/],
    ['less data than extents', [tensor(four(), 2, 4)], [tensor(four(), 1, 4)], RangeError, /8 elements.* has 4/],
    ['more data than extents', [tensor(new Float32Array(9), 2, 4)], [tensor(four(), 1, 4)], RangeError, /has 9/],
    ['a short output', [tensor(four(), 1, 4)], [tensor(new Float32Array(3), 1, 4)], RangeError, /output 'y'.* has 3/],
    ['another element type', [tensor(new Int32Array(4), 1, 4)], [tensor(four(), 1, 4)], TypeError, /takes float32/],
    ['a negative extent', [tensor(four(), -1, 4)], [tensor(four(), 1, 4)], RangeError, /inputs\[0\]\.dims/],
    ['a fractional extent', [tensor(four(), 1.5, 4)], [tensor(four(), 1, 4)], RangeError, /whole number/],
    ['extents that overflow', [tensor(four(), 2 ** 53, 4)], [tensor(four(), 1, 4)], RangeError, /elements/],
  ];
  it.each(bad)('refuses %s before memory is touched', async (_, inputs, outputs, type, message) => {
    const session = open(write(addGraph));
    const before = outputs.map(({ data }) => [...data]);
    for (const run of [() => session.run(inputs, outputs), () => session.runAsync(inputs, outputs)]) {
      expect(run).toThrow(type);
      expect(run).toThrow(message);
    }
    expect(outputs.map(({ data }) => [...data])).toEqual(before);
  });

  it('refuses memory that has moved to another owner', () => {
    const session = open(write(addGraph));
    const x = four();
    const { port1, port2 } = new MessageChannel();
    port1.postMessage(x, [x.buffer]);
    port1.close();
    port2.close();
    expect(() => session.run([tensor(x, 1, 4)], [tensor(four(), 1, 4)])).toThrow(/has 0/);
  });

  it('refuses an output whose dynamic extents differ from what the graph makes', () => {
    const session = open(write(addGraph));
    const memory = new Float32Array(64).fill(7);
    const y = memory.subarray(16, 20);
    expect(() => session.run([tensor(new Float32Array(8), 2, 4)], [tensor(y, 1, 4)])).toThrow(
      expect.objectContaining({ code: expect.stringMatching(/^ORT_/) }),
    );
    expect([...memory]).toEqual(Array(64).fill(7));
  });

  it('refuses options of another shape', () => {
    const path = write(addGraph);
    const openWith = (options: unknown) => () => open(path, options as SessionOptions);
    expect(openWith({ threads: 0 })).toThrow(RangeError);
    expect(openWith({ threads: '1' })).toThrow(TypeError);
    expect(openWith({ optimization: 'most' })).toThrow(RangeError);
    expect(openWith({ devices: [99] })).toThrow(/no device 99/);
    expect(openWith({ devices: 0 })).toThrow(TypeError);
    expect(openWith({ epOptions: { a: 'b' } })).toThrow(/need devices/);
    expect(openWith({ config: { a: 1 } })).toThrow(/config\.a must be a string/);
  });
});

describe('files', () => {
  it('names a missing model', () => {
    const path = join(folder, 'missing.onnx');
    expect(() => open(path)).toThrow(withCode('ORT_NO_SUCHFILE'));
    expect(() => open(path)).toThrow(/missing\.onnx/);
  });

  it('refuses a model cut anywhere', () => {
    const whole = onnxModel(addGraph);
    const path = join(folder, 'cut.onnx');
    for (const length of [0, 1, 10, whole.length >> 1, whole.length - 1]) {
      writeFileSync(path, whole.subarray(0, length));
      expect(() => open(path), `${length} of ${whole.length} bytes`).toThrow(
        expect.objectContaining({ code: expect.stringMatching(/^ORT_/) }),
      );
    }
  });

  it('refuses an operator that does not exist', () => {
    const path = write({ ...addGraph, nodes: [{ op: 'NoSuchOp', inputs: ['x'], outputs: ['y'] }] });
    expect(() => open(path)).toThrow(/NoSuchOp/);
  });

  it('finds external data beside the model, from any working directory, shared by two graphs', () => {
    writeFileSync(join(folder, 'weights.data'), externalData);
    const paths = [write(externalGraph('weights.data')), write(externalGraph('weights.data'))];
    for (const session of paths.map((path) => open(path))) {
      const y = new Float32Array(2);
      session.run([tensor(Float32Array.of(1, 10), 1, 2)], [tensor(y, 1, 2)]);
      expect([...y]).toEqual([31, 42]);
    }
  });

  it('refuses external data that was moved or cut', () => {
    const path = write(externalGraph('moved.data'));
    const data = join(folder, 'moved.data');
    writeFileSync(data, externalData);
    renameSync(data, join(folder, 'elsewhere.data'));
    expect(() => open(path)).toThrow(/moved\.data/);
    renameSync(join(folder, 'elsewhere.data'), data);
    for (const length of [23, 0]) {
      truncateSync(data, length);
      expect(() => open(path)).toThrow(new RegExp(`External initializer: w .*file_length: ${length} `));
    }
  });
});

/** Bytes of the process on huge pages; undefined where the system has or allows none. */
function hugeBytes(): number | undefined {
  try {
    if (readFileSync('/sys/kernel/mm/transparent_hugepage/enabled', 'utf8').includes('[never]')) return undefined;
    const kilobytes = /^AnonHugePages:\s+(\d+) kB$/m.exec(readFileSync('/proc/self/smaps_rollup', 'utf8'))?.[1];
    return kilobytes === undefined ? undefined : 1024 * Number(kilobytes);
  } catch {
    return undefined;
  }
}

describe('weights', () => {
  it.runIf(hugeBytes() !== undefined)('lie on huge pages, and leave them with the last session', () => {
    const path = write(chainGraph(2048, 1)); // 16 MiB, of which the last part of a page may be small
    const before = hugeBytes() ?? 0;
    const [first, second] = [open(path), open(path)];
    expect((hugeBytes() ?? 0) - before).toBeGreaterThanOrEqual(2 * 14 * 1024 * 1024);
    const x = new Float32Array(2048 * 2048);
    x.fill(3, 0, 2048);
    const y = new Float32Array(2048 * 2048);
    second.run([tensor(x, 2048, 2048)], [tensor(y, 2048, 2048)]);
    expect(y[2047]).toBeCloseTo(3, 4);
    expect(y[2048]).toBe(0);
    first.close();
    second.close();
    expect((hugeBytes() ?? 0) - before).toBeLessThanOrEqual(2 * 1024 * 1024);
  });
});

describe('life', () => {
  const size = 384;
  const square = () => new Float32Array(size * size).fill(1);

  it('refuses a closed handle and an id that is gone', () => {
    const session = open(write(addGraph));
    session.close();
    session.close();
    const closed = withCode('CLOSED');
    expect(() => session.run([], [])).toThrow(closed);
    expect(() => session.runAsync([], [])).toThrow(closed);
    expect(() => session.describe()).toThrow(closed);
    expect(() => native.attachSession(session.id)).toThrow(closed);
  });

  it('lives as long as its last handle', () => {
    const first = open(write(addGraph));
    const second = native.attachSession(first.id);
    first.close();
    expect(native.sessionCount()).toBe(1);
    const y = new Float32Array(4);
    second.run([tensor(new Float32Array(4), 1, 4)], [tensor(y, 1, 4)]);
    expect([...y]).toEqual([10, 20, 30, 40]);
    second.close();
    expect(native.sessionCount()).toBe(0);
  });

  it('runs in the background while the thread goes on', async () => {
    const session = open(write(chainGraph(size, 8)));
    const y = square().fill(0);
    let settled = false;
    const run = session.runAsync([tensor(square(), size, size)], [tensor(y, size, size)]).then(() => {
      settled = true;
    });
    expect(settled).toBe(false);
    await run;
    expect(y.every((value) => Math.abs(value - 1) < 1e-4)).toBe(true);
  });

  it('finishes a run whose handle is closed meanwhile', async () => {
    const session = open(write(chainGraph(size, 8)));
    const y = square().fill(0);
    const run = session.runAsync([tensor(square(), size, size)], [tensor(y, size, size)]);
    session.close();
    expect(native.sessionCount()).toBe(1);
    await run;
    expect(y[0]).toBeCloseTo(1, 4);
    expect(native.sessionCount()).toBe(0);
  });

  it('cancels runs in flight between two nodes, and those that start later', async () => {
    const session = open(write(chainGraph(size, 2000)));
    const token = native.createCancelToken();
    const run = () => session.runAsync([tensor(square(), size, size)], [tensor(square(), size, size)], token);
    const runs = Promise.allSettled([run(), run()]);
    await new Promise((resolve) => setTimeout(resolve, 50));
    const asked = performance.now();
    token.cancel();
    const cancelled = { status: 'rejected', reason: withCode('CANCELLED') };
    expect(await runs).toEqual([cancelled, cancelled]);
    // 2000 products take many seconds; one takes a few milliseconds.
    expect(performance.now() - asked).toBeLessThan(1000);
    await expect(run()).rejects.toMatchObject({ code: 'CANCELLED' });
    expect(() => session.runAsync([], [], {} as never)).toThrow(RangeError);
    const good = [tensor(square(), size, size)];
    expect(() => session.runAsync(good, good, {} as never)).toThrow(/createCancelToken/);
  });
});
