/** The sampler as a thread: it samples, and nothing that goes wrong in it ends the process that it is in. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { build } from 'esbuild';
import * as v from 'valibot';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { MachineReadings } from '../../contract/resources.ts';
import { type SamplerReport, samplerThread } from './sampler.ts';

let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'sampler-'));
  const entry = path.join(import.meta.dirname, 'thread.ts');
  const outfile = path.join(folder, 'sampler.cjs');
  await build({ entryPoints: [entry], bundle: true, platform: 'node', format: 'cjs', outfile });
  writeFileSync(path.join(folder, 'throws.cjs'), 'setTimeout(() => { throw new Error("a sensor went mad"); }, 10);');
  writeFileSync(path.join(folder, 'leaks.cjs'), 'const all = []; for (;;) all.push(new Array(1000).fill(all.length));');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('the thread reads this machine at the pace that it is told', async () => {
  const reports: SamplerReport[] = [];
  const messages: number[] = [];
  const handle = await new Promise<{ kill(): void }>((resolve) => {
    const started = samplerThread(path.join(folder, 'sampler.cjs'))({
      reported: (told) => {
        messages.push(told.length);
        reports.push(...told);
        if (reports.length >= 6) resolve(started);
      },
      exited: () => undefined,
    });
    started.post({ everyMs: 100, tellMs: 300, pids: [process.pid] });
  });
  handle.kill();
  for (const { readings } of reports) expect(v.is(MachineReadings, readings)).toBe(true);
  const [first, , , last] = reports;
  // Several readings at once, in their order; a busy machine may miss one.
  expect(messages[0]).toBeGreaterThan(1);
  expect(reports.map(({ at }) => at)).toEqual([...reports.map(({ at }) => at)].sort((a, b) => a - b));
  expect((last?.at ?? 0) - (first?.at ?? 0)).toBeGreaterThanOrEqual(250);
});

test.each([
  ['throws.cjs', /a sensor went mad/],
  ['leaks.cjs', /memory/i],
])('%s ends the thread, which is told, and nothing else', async (name, reason) => {
  const told = await new Promise<string>((exited) => {
    samplerThread(path.join(folder, name))({ reported: () => undefined, exited });
  });
  expect(told).toMatch(reason);
});
