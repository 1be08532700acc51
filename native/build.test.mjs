/** The build script on a tiny addon of its own, with the real compiler. */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { buildNative, hostTarget } from './build.mjs';
import { windowsImports } from './windows-imports.mjs';

const root = mkdtempSync(join(tmpdir(), 'shadownpu build '));
const out = join(root, 'build', hostTarget());
const addon = join(out, 'shadownpu.node');
const compiler = process.env.CXX;

/** @param {string} name @param {string} text */
const write = (name, text) => writeFileSync(join(root, 'src', name), text);
const build = () => buildNative({ root });
/** What the addon returns. A copy, since Node keeps what it once loaded from a path. */
let copies = 0;
const answer = () => {
  const copy = join(root, `copy${copies++}.node`);
  writeFileSync(copy, readFileSync(addon));
  return createRequire(import.meta.url)(copy);
};

beforeAll(() => {
  mkdirSync(join(root, 'src'));
  write('answer.h', '#pragma once\nint Other();\nint Wide();\ninline int Answer() { return 42; }\n');
  write(
    'main.cc',
    `#include <node_api.h>
#include "answer.h"
napi_value Init(napi_env env, napi_value) {
  napi_value value;
  napi_create_int32(env, Answer() + Other() + Wide(), &value);
  return value;
}
NAPI_MODULE(test, Init)
`,
  );
  write('other.cc', 'int Other() { return 100; }\n');
  // One of the two belongs to the other architecture, where it must not even be read.
  const [wide, foreign] = process.arch === 'x64' ? ['__AVX2__', '__ARM_NEON'] : ['__ARM_NEON', '__AVX2__'];
  const source = (/** @type {string} */ macro) =>
    `#ifndef ${macro}\n#error no ${macro}\n#endif\nint Wide() { return 0; }\n`;
  write('wide_avx2.cc', source(process.arch === 'x64' ? wide : foreign));
  write('wide_neon.cc', source(process.arch === 'x64' ? foreign : wide));
});
afterEach(() => {
  if (compiler === undefined) delete process.env.CXX;
  else process.env.CXX = compiler;
});
afterAll(() => rmSync(root, { recursive: true }));

it('compiles what changed and nothing else', { timeout: 300_000 }, async () => {
  expect(await build()).toEqual({ target: hostTarget(), file: addon, compiled: 3, total: 3 });
  expect(answer()).toBe(142);
  expect((await build()).compiled).toBe(0);

  write('other.cc', 'int Other() { return 200; }\n');
  expect((await build()).compiled).toBe(1);
  expect(answer()).toBe(242);

  write('answer.h', readFileSync(join(root, 'src', 'answer.h'), 'utf8').replace('42', '43'));
  expect((await build()).compiled).toBe(1);
  expect(answer()).toBe(243);

  rmSync(addon);
  expect((await build()).compiled).toBe(0);
  expect(answer()).toBe(243);
  expect((await buildNative({ root, force: true })).compiled).toBe(3);
});

it('compiles again what was edited while it was compiled', { timeout: 300_000 }, async () => {
  await build();
  const header = join(root, 'src', 'answer.h');
  const later = new Date(Date.now() + 3600_000);
  utimesSync(header, later, later);
  write('other.cc', 'int Other() { return 300; }\n#include "answer.h"\n');
  expect((await build()).compiled).toBe(1);
  // Which state of the header the compiler saw is not known.
  expect((await build()).compiled).toBe(1);
  utimesSync(header, new Date(0), new Date(0));
  expect((await build()).compiled).toBe(1);
  expect((await build()).compiled).toBe(0);
});

it('keeps the working addon when a file does not compile, and says which', { timeout: 300_000 }, async () => {
  await build();
  const before = readFileSync(addon);
  write('other.cc', 'int Other() { return }\n');
  await expect(build()).rejects.toThrow(/Compiling other\.cc failed:.*error/s);
  expect(readFileSync(addon).equals(before)).toBe(true);

  write('other.cc', 'int Another() { return 1; }\n');
  await expect(build()).rejects.toThrow(/Other/); // found when the addon is tried, or by the linker
  expect(readFileSync(addon).equals(before)).toBe(true);
  expect(readdirSync(out).filter((name) => name.includes('tmp'))).toEqual([]);

  write('other.cc', 'int Other() { return 100; }\n');
  await build();
  expect(answer()).toBe(143);
});

it('says what to do about a compiler that does not work and a target that nothing reaches', async () => {
  process.env.CXX = process.execPath;
  await expect(build()).rejects.toThrow(/CXX=.* does not compile C\+\+20\nCorrect or unset CXX/);
  await expect(buildNative({ root, target: 'amiga-68k' })).rejects.toThrow(/amiga-68k\nTargets: .*win32-arm64/);
});

it('binds every function of Node-API on Windows', () => {
  const text = windowsImports({ js_native_api_symbols: ['napi_a', 'napi_b'], node_api_symbols: ['napi_b', 'napi_c'] });
  for (const name of ['napi_a', 'napi_b', 'napi_c']) {
    expect(text.split(`void* __imp_${name};`)).toHaveLength(2);
    expect(text).toContain(`{"${name}", &__imp_${name}}`);
  }
});
