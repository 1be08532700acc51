/**
 * What the trace of a prompt costs: prefill with and without it, interleaved, on the default model. Prints least and median
 * times of the clock and of the processor, and their ratio; on a busy machine only the latter means something.
 * `npm run bench -- telemetry`
 */
import { heldOutTexts } from '../main/engine/eval/texts.ts';
import { GREEDY } from '../main/engine/session/sampler.ts';
import { loadDefaultModel } from './lib/default-model.ts';

const TOKENS = 2048;
const ROUNDS = 6;

type Times = Record<'on' | 'off', number[]>;

async function main(): Promise<void> {
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
    console.log(`${attention.mode}, ${TOKENS} tokens, clock: ${row(clock)}; processor: ${row(processor)}`);
  }
  await engine.close();
}

function row({ on, off }: Times): string {
  for (const list of [on, off]) list.sort((a, b) => a - b);
  const at = (list: readonly number[], index: number) => list[index] ?? Number.NaN;
  const told = (name: string, index: number) =>
    `${name} with ${at(on, index).toFixed(0)} ms, without ${at(off, index).toFixed(0)} ms, ` +
    `${(100 * (at(on, index) / at(off, index) - 1)).toFixed(2)} %`;
  return `${told('least', 0)}, ${told('median', ROUNDS >> 1)}`;
}

void main();
