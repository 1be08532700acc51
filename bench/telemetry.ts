/**
 * What the trace of a prompt costs, on the default model. First one event, many times over and in turn with a loop that does
 * nothing, times the events of the prompt: the cost itself, which no whole prompt shows. Then whole prompts with and without
 * their trace, in turn: least and median times of the clock and of the processor, and their ratio.
 * `npm run bench -- telemetry`
 */
import { quantile, spread } from '../main/bench/statistics.ts';
import type { Engine } from '../main/engine/engine.ts';
import { heldOutTexts } from '../main/engine/eval/texts.ts';
import { GREEDY } from '../main/engine/session/sampler.ts';
import { StageRecorder } from '../main/engine/telemetry/stage-recorder.ts';
import { stageClock, TRACE_LOG_BYTES, TraceLog } from '../main/engine/telemetry/trace-log.ts';
import { WORK_METER_BYTES } from '../main/engine/telemetry/work-meter.ts';
import { loadDefaultModel } from './lib/default-model.ts';

const TOKENS = 2048;
const ROUNDS = 6;
/** Of one event: rounds, and events in each. */
const EVENT_ROUNDS = 200;
const EVENTS = 10_000;

type Times = Record<'on' | 'off', number[]>;

async function main(): Promise<void> {
  const eventNs = eventCosts();
  const engine = await loadDefaultModel({ contextSize: TOKENS + 8 });
  const { model } = engine;
  const text = (await heldOutTexts()).map((one) => one.text).join('\n\n');
  const ids = model.tokenizer.encode(text, { addSpecial: true }).slice(0, TOKENS);
  const prompt = { kind: 'raw', text: model.tokenizer.decode(ids) } as const;
  for (const attention of [{ mode: 'shadow', ratio: 0.07 } as const, { mode: 'full', ratio: 1 } as const]) {
    const clock: Times = { on: [], off: [] };
    const processor: Times = { on: [], off: [] };
    // The first round warms up and is not counted.
    for (let round = 0; round <= ROUNDS; round++) {
      for (const state of round % 2 === 0 ? (['on', 'off'] as const) : (['off', 'on'] as const)) {
        model.cache.truncate(0);
        const sampling = { ...GREEDY, maxTokens: 1 };
        const before = process.cpuUsage();
        const { prefill } = await engine.generate({ prompt, sampling, attention, aside: state === 'off' });
        const { user, system } = process.cpuUsage(before);
        if (round === 0) continue;
        clock[state].push(1000 * prefill.seconds);
        processor[state].push((user + system) / 1000);
      }
    }
    const events = eventsOf(engine);
    const ms = quantile(clock.on, 0.5);
    const told = eventNs.map(({ name, ns }) => {
      const share = (ns.median * events) / 1e6 / ms;
      return `${name} ${ns.median.toFixed(0)} ns (${ns.low.toFixed(0)} to ${ns.high.toFixed(0)}), ${(100 * share).toFixed(3)} % of the prompt`;
    });
    console.log(
      `${attention.mode}, ${events} events of ${TOKENS} tokens in ${ms.toFixed(0)} ms, on one thread: ${told.join('; ')}`,
    );
    console.log(`${attention.mode}, ${TOKENS} tokens, clock: ${row(clock)}; processor: ${row(processor)}`);
  }
  await engine.close();
}

/** Nanoseconds of one event, those of an empty loop taken off, round by round. */
function eventCosts() {
  const trace = new SharedArrayBuffer(TRACE_LOG_BYTES);
  const log = new TraceLog(trace);
  const recorder = new StageRecorder({ work: new SharedArrayBuffer(WORK_METER_BYTES), trace }, 0);
  const place = { layer: 3, head: 2, heads: 1, position: 128, rows: 64, kept: 900, bucket: 4 };
  let nothing = 0;
  const kinds: [string, (i: number) => void][] = [
    ['writing a span', (i) => log.add(0, 'topk', place, i, i + 1)],
    ['a task with its clock, sums and span', () => recorder.task(() => recorder.add('topk', place, stageClock()))],
  ];
  const empty = (i: number) => {
    nothing += i;
  };
  const timed = (work: (i: number) => void) => {
    const start = process.hrtime.bigint();
    for (let i = 0; i < EVENTS; i++) work(i);
    return Number(process.hrtime.bigint() - start) / EVENTS;
  };
  return kinds.map(([name, work]) => {
    const each: number[] = [];
    for (let round = 0; round < EVENT_ROUNDS; round++) {
      log.begin();
      const [base, cost] = round % 2 === 0 ? [timed(empty), timed(work)] : [timed(work), timed(empty)].reverse();
      each.push((cost ?? 0) - (base ?? 0));
    }
    if (!Number.isFinite(nothing)) throw new Error('the loop was left out');
    return { name, ns: spread(each) };
  });
}

/** Events of the last prompt that left a trace. */
function eventsOf(engine: Engine): number {
  const { traceLog } = engine.model;
  const { dropped, times } = traceLog.read();
  return dropped + times.length / 2;
}

function row({ on, off }: Times): string {
  const told = (name: string, q: number) => {
    const [withTrace, without] = [quantile(on, q), quantile(off, q)];
    const difference = 100 * (withTrace / without - 1);
    return `${name} with ${withTrace.toFixed(0)} ms, without ${without.toFixed(0)} ms, ${difference.toFixed(2)} %`;
  };
  return `${told('least', 0)}, ${told('median', 0.5)}`;
}

void main();
