/**
 * How long a cancel takes on the default model: aborts at random moments of a prefill and of decoding, prints the median
 * and the worst milliseconds from the wish to the settled answer. `npm run bench -- cancel`
 */

import { readFileSync } from 'node:fs';
import path from 'node:path';
import { GREEDY } from '../main/engine/session/sampler.ts';
import { loadDefaultModel, ROOT } from './lib/default-model.ts';

const ROUNDS = 12;

async function main(): Promise<void> {
  const engine = await loadDefaultModel({ contextSize: 8192 });
  const long = readFileSync(path.join(ROOT, 'LICENSE'), 'utf8').repeat(3).slice(0, 30_000);
  for (const [name, text, from, to] of [
    ['prefill', long, 100, 12_000],
    ['decode', 'Count from 1 to 500: 1, 2, 3,', 400, 1500],
  ] as const) {
    const times: number[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const abort = new AbortController();
      const delay = from + ((to - from) * round) / ROUNDS;
      // From the moment the user wanted it: the engine may be computing while the timer is due.
      const due = performance.now() + delay;
      setTimeout(() => abort.abort(), delay);
      await engine.generate(
        { prompt: { kind: 'raw', text: `${round} ${text}` }, sampling: GREEDY, attention: { mode: 'full', ratio: 1 } },
        { signal: abort.signal },
      );
      if (abort.signal.aborted) times.push(performance.now() - due);
    }
    times.sort((a, b) => a - b);
    const ms = (index: number) => (times[index] ?? Number.NaN).toFixed(0);
    console.log(
      `${name}: ${times.length} cancels, median ${ms(times.length >> 1)} ms, worst ${ms(times.length - 1)} ms`,
    );
  }
  await engine.close();
}

void main();
