/**
 * The whole engine of other targets under their emulators: they answer with the tokens of this machine. Windows comes first and
 * imports the model too; the others use its import.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { GenerateResult } from '../../../contract/engine.ts';
import { realModelPath } from '../../../main/engine/testdata/real-model.ts';
import { emulatorOf } from '../../../scripts/emulators/emulators.mjs';
import { DIST } from '../../../scripts/setup/paths.mjs';
import { buildNative } from '../../build.mjs';

const CLI = join(DIST, 'cli.cjs');
const ASK = ['ask', 'Why is the sky blue?', '--temperature', '0', '--max-tokens', '8', '--threads', '1', '--json'];
const home = mkdtempSync(join(tmpdir(), 'shadownpu-answer-'));

beforeAll(() => {
  mkdirSync(join(home, 'models'));
  symlinkSync(realModelPath(), join(home, 'models', basename(realModelPath())));
});
afterAll(() => rmSync(home, { recursive: true, force: true }));

function resultIn(output: string): GenerateResult {
  const line = output.split('\n').find((text) => text.startsWith('{'));
  if (line === undefined) throw new Error(output);
  return JSON.parse(line);
}

test.for(['win32-x64', 'linux-arm64'])('%s', async (target, { skip }) => {
  const emulator = await emulatorOf(target, console.error);
  if (typeof emulator === 'string') return skip(emulator);
  await buildNative({ target });
  const { ok, output } = await emulator.run(emulator.path(CLI), ASK, { env: { SHADOWNPU_HOME: emulator.path(home) } });
  if (!ok) throw new Error(output);
  const there = resultIn(output);
  const env = { ...process.env, SHADOWNPU_HOME: home };
  const here = resultIn(execFileSync(process.execPath, [CLI, ...ASK], { env, encoding: 'utf8' }));
  console.log(`${target}: "${there.text}"`);
  expect(there.completionTokens).toBe(8);
  expect(there.tokenIds).toEqual(here.tokenIds);
});
