/** The whole engine on Windows x64 (under wine): imports the default model and answers as Linux does from the same import. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { GenerateResult } from '../../../contract/engine.ts';
import { realModelPath } from '../../../main/engine/testdata/real-model.ts';
import { type Emulator, emulatorOf } from '../../../scripts/emulators/emulators.mjs';
import { DIST } from '../../../scripts/setup/paths.mjs';
import { buildNative } from '../../build.mjs';

const TARGET = 'win32-x64';
const CLI = join(DIST, 'cli.cjs');
const ASK = ['ask', 'Why is the sky blue?', '--temperature', '0', '--max-tokens', '8', '--threads', '1', '--json'];
const folder = mkdtempSync(join(tmpdir(), 'shadownpu-windows-answer-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let emulator: Emulator | string = '';
beforeAll(async () => {
  emulator = await emulatorOf(TARGET, console.error);
  if (typeof emulator !== 'string') await buildNative({ target: TARGET });
});

function resultIn(output: string): GenerateResult {
  const line = output.split('\n').find((text) => text.startsWith('{'));
  if (line === undefined) throw new Error(output);
  return JSON.parse(line);
}

test('the same tokens', async ({ skip }) => {
  if (typeof emulator === 'string') return skip(emulator);
  mkdirSync(join(folder, 'models'));
  symlinkSync(realModelPath(), join(folder, 'models', basename(realModelPath())));
  const { ok, output } = await emulator.run(emulator.path(CLI), ASK, {
    env: { SHADOWNPU_HOME: emulator.path(folder) },
  });
  if (!ok) throw new Error(output);
  const env = { ...process.env, SHADOWNPU_HOME: folder };
  const here = resultIn(execFileSync(process.execPath, [CLI, ...ASK], { env, encoding: 'utf8' }));
  const windows = resultIn(output);
  console.log(`Windows: "${windows.text}" at ${windows.decode.tokensPerSecond.toFixed(1)} tokens a second under wine`);
  expect(windows.completionTokens).toBe(8);
  expect(windows.tokenIds).toEqual(here.tokenIds);
});
