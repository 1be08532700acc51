/**
 * Prefill of the default model (fast weights): full attention against shadow at several ratios, one run of each in turn.
 * Prints milliseconds (medians) and the median of the ratios full / shadow within a round.
 * `npm run bench -- prefill [--threads 1] [--rounds 5] [--lengths 512,1024,2048]`
 */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import type { AttentionOptions } from '../contract/engine.ts';
import { loadDefaultModel, ROOT } from './lib/default-model.ts';

const RULES: { name: string; attention: AttentionOptions }[] = [
  { name: 'full', attention: { mode: 'full', ratio: 1 } },
  { name: 'shadow 20 %', attention: { mode: 'shadow', ratio: 0.2 } },
  { name: 'shadow 10 %', attention: { mode: 'shadow', ratio: 0.1 } },
];

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      threads: { type: 'string', default: '1' },
      rounds: { type: 'string', default: '5' },
      lengths: { type: 'string', default: '512,1024,2048,4096' },
    },
  });
  const lengths = (values.lengths ?? '').split(',').map(Number);
  const engine = await loadDefaultModel({ contextSize: Math.max(...lengths), threads: Number(values.threads) });
  const { bundle, threads } = engine.model;
  const ids = engine.model.tokenizer.encode(sampleText(), { addSpecial: true });
  console.log(`${bundle.manifest.name}, fast weights, ${threads} thread(s), ${values.rounds} rounds`);
  console.log(
    ['tokens', ...RULES.map(({ name }) => `${name} ms`), ...RULES.slice(1).map(({ name }) => `full / ${name}`)].join(
      '\t',
    ),
  );
  for (const length of lengths) {
    const prompt = ids.slice(0, length);
    if (prompt.length < length) throw new Error(`the sample text has only ${prompt.length} tokens`);
    const rounds: number[][] = [];
    for (let round = 0; round <= Number(values.rounds); round++) {
      const times: number[] = [];
      for (const { attention } of RULES) {
        const start = performance.now();
        await engine.logits(prompt, attention);
        times.push(performance.now() - start);
      }
      if (round > 0) rounds.push(times); // the first warms caches and pages
    }
    const column = (pick: (times: number[]) => number) => median(rounds.map(pick));
    const ms = RULES.map((_, i) => column((times) => times[i] ?? Number.NaN).toFixed(0));
    const ratios = RULES.slice(1).map((_, i) =>
      column(([full = Number.NaN, ...rest]) => full / (rest[i] ?? 0)).toFixed(2),
    );
    console.log([length, ...ms, ...ratios].join('\t'));
  }
  await engine.close();
}

/** Prose and technical text of this repository, in a fixed order. */
function sampleText(): string {
  const decisions = path.join(ROOT, 'docs', 'decisions');
  const files = [
    path.join(ROOT, 'resources', 'calibration.txt'),
    path.join(ROOT, 'README.md'),
    path.join(ROOT, 'CONTRIBUTING.md'),
    ...readdirSync(decisions)
      .sort()
      .map((name) => path.join(decisions, name)),
    path.join(ROOT, 'LICENSE'),
  ];
  return files.map((file) => readFileSync(file, 'utf8')).join('\n\n');
}

function median(values: number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

void main();
