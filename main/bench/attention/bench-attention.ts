/** `bench attention`: milliseconds of a head and chunk of 128 rows in every form of attention, at several lengths. */
import type { NativeAddon } from '../../../native/js/index.ts';
import { WorkerPool } from '../../engine/attention/worker-pool.ts';
import { type Configuration, FULL, PAPER, shipped } from '../../engine/eval/configurations.ts';
import { Breath } from '../../engine/session/breath.ts';
import type { LoadedModel } from '../../engine/session/loaded-model.ts';
import { type Contestant, interleave } from '../rounds.ts';
import { sampleIds } from '../sample-text.ts';
import { type Captured, capture, ROWS } from './capture.ts';
import { EngineModes } from './engine-modes.ts';
import * as names from './figures.ts';
import { type AttentionRow, attentionRows } from './figures.ts';
import { GivenScores } from './given-scores.ts';
import { OrtGroupQuery } from './ort-group-query.ts';
import { OrtMultiHead } from './ort-multi-head.ts';
import { prepare } from './prepared.ts';

export interface AttentionBench {
  native: NativeAddon;
  model: LoadedModel;
  /** Lengths, multiples of 128. */
  ns: readonly number[];
  threads: number;
  rounds: number;
  /** Forms of shadow attention beside the one that is shipped and the paper's. */
  configurations: readonly Configuration[];
  note: (text: string) => void;
  signal?: AbortSignal;
}

/** Where in the model the heads come from: near both ends and in the middle, as shares of its depth. */
const DEPTHS = [0.04, 0.4, 0.9];

/** Rows of all lengths. Throws AppError 'cancelled', or 'bad-input' where the sample text is too short. */
export async function benchAttention(bench: AttentionBench): Promise<AttentionRow[]> {
  const { native, model, ns, threads, note, signal } = bench;
  const { nLayer } = model.shared.shape;
  const layers = [...new Set(DEPTHS.map((depth) => Math.floor(depth * nLayer)))];
  note(
    `Taking queries, keys and values of layers ${layers.join(', ')} out of a prefill of ${Math.max(...ns)} tokens ...`,
  );
  const ids = await sampleIds(model.tokenizer, Math.max(...ns));
  const captured = await capture(model, ids, ns, layers, new Breath(signal));
  const pool = new WorkerPool(native, captured.model, threads);
  const multiHead = new OrtMultiHead(native, captured, threads);
  try {
    const rows: AttentionRow[] = [];
    for (const n of ns) {
      note(`${n} keys ...`);
      const groupQuery = new OrtGroupQuery(native, captured, threads, n);
      try {
        const ort = [
          { name: names.ORT_MULTI_HEAD, run: () => multiHead.run(n) },
          { name: names.ORT_GROUP_QUERY, run: () => groupQuery.run() },
        ];
        rows.push(...(await benchLength(bench, n, captured, new EngineModes(pool, captured), ort)));
      } finally {
        groupQuery.close();
      }
    }
    return rows;
  } finally {
    multiHead.close();
    await pool.close();
  }
}

async function benchLength(
  { native, model, rounds, configurations, signal }: AttentionBench,
  n: number,
  captured: Captured,
  engine: EngineModes,
  ort: readonly Contestant[],
): Promise<AttentionRow[]> {
  const { nLayer, nHead } = captured.model.shape;
  const given = new GivenScores(native, captured, n);
  const paper = prepare(model, captured, PAPER);
  const shadow = prepare(model, captured, shipped('shadow'));
  const mode = (name: string, configuration: Configuration): Contestant => {
    const prepared = prepare(model, captured, configuration);
    return { name, run: () => engine.run(n, prepared) };
  };
  const extraBytes = new Map<string, number>();
  const contestants = [
    mode(names.FULL, FULL),
    ...ort,
    ...(captured.model.staticRanges.length > 0 ? [mode(names.INT8, shipped('npu-full'))] : []),
    mode('sparse', shipped('sparse')),
    mode('block', shipped('block')),
    mode(names.PAPER, PAPER),
    { name: names.PAPER_GIVEN, run: () => given.runTopk(paper) },
    mode(names.SHADOW, shipped('shadow')),
    { name: names.SHADOW_GIVEN, run: () => given.runSelect(shadow) },
    ...configurations.map((one) => mode(one.name, one)),
  ].map((contestant) => weighed(contestant, extraBytes));
  const times = await interleave(contestants, { rounds, ...(signal ? { signal } : {}) });
  const heads = nLayer * nHead;
  const perHead = new Map([...times].map(([name, ms]) => [name, ms.map((value) => value / heads)]));
  return attentionRows(n, perHead, extraBytes);
}

/** The contestant, noting by how much the process grows in its first run: scratch memory that it then keeps. */
function weighed({ name, run }: Contestant, extraBytes: Map<string, number>): Contestant {
  return {
    name,
    run: () => {
      if (extraBytes.has(name)) return run();
      const before = process.memoryUsage.rss();
      const ms = run();
      extraBytes.set(name, Math.max(0, process.memoryUsage.rss() - before));
      return ms;
    },
  };
}

/** Whether a length can be measured: whole chunks, and one before the measured one. */
export function isBenchLength(n: number): boolean {
  return n % ROWS === 0 && n >= 2 * ROWS;
}
