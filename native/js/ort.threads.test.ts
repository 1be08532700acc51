/** Sessions shared by worker_threads: each worker loads the same addon, as the engine's pool does. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { afterAll, describe, expect, it } from 'vitest';
import { loadNative } from './load.ts';
import { bytesOf, FLOAT, type Graph, onnxModel } from './testing/onnx.ts';

const native = loadNative();
const folder = mkdtempSync(join(tmpdir(), 'shadownpu-threads-'));
const addon = join(__dirname, '..', 'build', `${process.platform}-${process.arch}`, 'shadownpu.node');
const size = 256;

/** `count` products with the identity: y equals x exactly. */
function identityChain(count: number): string {
  const identity = new Float32Array(size * size);
  for (let i = 0; i < size; i++) identity[i * size + i] = 1;
  const graph: Graph = {
    nodes: Array.from({ length: count }, (_, i) => ({
      op: 'MatMul',
      inputs: [i === 0 ? 'x' : `t${i}`, 'w'],
      outputs: [i === count - 1 ? 'y' : `t${i + 1}`],
    })),
    inputs: [{ name: 'x', type: FLOAT, dims: ['rows', size] }],
    outputs: [{ name: 'y', type: FLOAT, dims: ['rows', size] }],
    initializers: [{ name: 'w', type: FLOAT, dims: [size, size], data: bytesOf(identity) }],
  };
  const path = join(folder, `chain${count}.onnx`);
  writeFileSync(path, onnxModel(graph));
  return path;
}

const program = `
const { parentPort, workerData } = require('node:worker_threads');
const native = require(workerData.addon);
const session = native.attachSession(workerData.id);
const { x, y, rows, size, how } = workerData;
const run = (call) => session[call]([{ data: x, dims: [rows, size] }], [{ data: y, dims: [rows, size] }]);
parentPort.on('message', (message) => {
  if (message === 'run') {
    for (let i = 0; i < 20; i++) { x.fill(i + workerData.seed); run('run'); if (y.some((v) => v !== x[0])) throw new Error('row ' + i); }
    parentPort.postMessage('done');
  }
  if (message === 'throw') {
    parentPort.postMessage('throwing');
    for (;;) try { session.run([], []); } catch {}
  }
  if (message === 'start') { run('runAsync').catch(() => {}); parentPort.postMessage('started'); }
  if (message === 'close') { session.close(); parentPort.postMessage('closed'); }
});
parentPort.postMessage('attached');
`;

async function startWorker(id: number, rows: number, seed: number) {
  const x = new Float32Array(new SharedArrayBuffer(rows * size * 4));
  const y = new Float32Array(new SharedArrayBuffer(rows * size * 4));
  const worker = new Worker(program, { eval: true, workerData: { addon, id, x, y, rows, size, seed } });
  const next = () =>
    new Promise<string>((resolve, reject) => {
      worker.once('error', reject);
      worker.once('message', (message: string) => {
        worker.off('error', reject);
        resolve(message);
      });
    });
  expect(await next()).toBe('attached');
  const ask = (message: string) => {
    const answer = next();
    worker.postMessage(message);
    return answer;
  };
  return { worker, ask, x, y };
}

afterAll(() => {
  expect(native.sessionCount()).toBe(0);
  rmSync(folder, { recursive: true });
});

describe('sessions shared by threads', () => {
  it('runs one session from three threads at once on different row counts', async () => {
    const session = native.openSession(identityChain(10));
    const workers = await Promise.all([startWorker(session.id, 3, 100), startWorker(session.id, 64, 200)]);
    const answers = Promise.all(workers.map(({ ask }) => ask('run')));
    const x = new Float32Array(16 * size).fill(5);
    const y = new Float32Array(16 * size);
    const tensor = (data: Float32Array) => ({ data, dims: [16, size] });
    for (let i = 0; i < 10; i++) {
      y.fill(0);
      await session.runAsync([tensor(x)], [tensor(y)]);
      expect(y).toEqual(x);
    }
    expect(await answers).toEqual(['done', 'done']);
    await Promise.all(workers.map(({ worker }) => worker.terminate()));
    session.close();
    expect(native.sessionCount()).toBe(0);
  });

  it('stays alive for a worker after its opener closed it, until the worker closes it too', async () => {
    const session = native.openSession(identityChain(1));
    const { worker, ask } = await startWorker(session.id, 2, 1);
    session.close();
    expect(native.sessionCount()).toBe(1);
    expect(await ask('run')).toBe('done');
    expect(await ask('close')).toBe('closed');
    expect(native.sessionCount()).toBe(0);
    await worker.terminate();
  });

  it('drops the handle of a worker that ends without closing it; other threads go on', async () => {
    const session = native.openSession(identityChain(1));
    const { worker, ask } = await startWorker(session.id, 2, 1);
    expect(await ask('run')).toBe('done');
    await worker.terminate();
    const x = new Float32Array(size).fill(3);
    const y = new Float32Array(size);
    session.run([{ data: x, dims: [1, size] }], [{ data: y, dims: [1, size] }]);
    expect(y).toEqual(x);
    session.close();
    expect(native.sessionCount()).toBe(0);
  });

  it('survives workers that are terminated while native code throws', async () => {
    const session = native.openSession(identityChain(1));
    for (let i = 0; i < 5; i++) {
      const { worker, ask } = await startWorker(session.id, 1, 1);
      expect(await ask('throw')).toBe('throwing');
      await new Promise((resolve) => setTimeout(resolve, 5));
      await worker.terminate();
    }
    session.close();
    expect(native.sessionCount()).toBe(0);
  });

  it('survives a worker that is terminated in the middle of a background run', async () => {
    const session = native.openSession(identityChain(300));
    const { worker, ask } = await startWorker(session.id, size, 1);
    expect(await ask('start')).toBe('started');
    session.close();
    await worker.terminate();
    expect(native.sessionCount()).toBe(0);
    const again = native.openSession(identityChain(1));
    expect(again.inputNames).toEqual(['x']);
    again.close();
  });
});
