/** The loader, bundled as the app bundles it, in folders laid out like a checkout and like a package. */
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { buildSync } from 'esbuild';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

const platform = `${process.platform}-${process.arch}`;
const built = join(__dirname, '..', 'build', platform, 'shadownpu.node');
const ort = dirname(createRequire(__filename).resolve('onnxruntime-node/package.json'));
const scratch = mkdtempSync(join(tmpdir(), 'shadownpu load 加载 '));
const bundle = join(scratch, 'load.cjs');
let project: string;
let projects = 0;

beforeAll(() => {
  buildSync({
    entryPoints: [join(__dirname, 'load.ts')],
    outfile: bundle,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node16.17',
  });
});
beforeEach(() => {
  project = join(scratch, `${projects++}`);
});
afterAll(() => rmSync(scratch, { recursive: true }));

function addAddon(root: string, content?: string) {
  const folder = join(root, 'native', 'build', platform);
  mkdirSync(folder, { recursive: true });
  if (content === undefined) copyFileSync(built, join(folder, 'shadownpu.node'));
  else writeFileSync(join(folder, 'shadownpu.node'), content);
}

function addOrt(root: string) {
  mkdirSync(join(root, 'node_modules'), { recursive: true });
  symlinkSync(ort, join(root, 'node_modules', 'onnxruntime-node'), 'junction');
}

interface ProcessOptions {
  readonly args?: readonly string[];
  readonly env?: NodeJS.ProcessEnv;
}

/** Loads from a bundle in `folder`, in a process of its own. */
function load(
  folder: string,
  { args = [], env = process.env }: ProcessOptions = {},
): { devices?: number; kind?: string; message?: string; action?: string; detail?: string } {
  mkdirSync(folder, { recursive: true });
  copyFileSync(bundle, join(folder, 'engine.cjs'));
  const program = `
    try { const { loadNative } = require('./engine.cjs'); console.log(JSON.stringify({ devices: loadNative().devices().length })); }
    catch (error) { console.log(JSON.stringify({ ...error, message: error.message, cause: undefined })); }`;
  const file = join(folder, 'program.cjs');
  writeFileSync(file, program);
  return JSON.parse(execFileSync(process.execPath, [file, ...args], { cwd: folder, env, encoding: 'utf8' }));
}

it('works from dist/ of a checkout', () => {
  addAddon(project);
  addOrt(project);
  expect(load(join(project, 'dist')).devices).toBeGreaterThan(0);
});

it('looks beside the archive of a package, not into it', () => {
  const unpacked = join(project, 'resources', 'app.asar.unpacked');
  addAddon(unpacked);
  addOrt(unpacked);
  addAddon(join(project, 'resources', 'app.asar'), 'inside an archive the system cannot load this');
  expect(load(join(project, 'resources', 'app.asar', 'dist')).devices).toBeGreaterThan(0);
});

describe('telemetry of ONNX Runtime', () => {
  /** As a user's own process has it: ONNX Runtime keeps quiet by itself where it believes that it is being tested. */
  function userEnvironment(home: string): NodeJS.ProcessEnv {
    mkdirSync(home, { recursive: true });
    const places = ['HOME', 'USERPROFILE', 'XDG_CACHE_HOME', 'LOCALAPPDATA', 'TMPDIR', 'TEMP'];
    return { PATH: process.env.PATH, ...Object.fromEntries(places.map((name) => [name, home])) };
  }

  it('leaves no device id and no events behind', () => {
    addAddon(project);
    addOrt(project);
    const home = join(project, 'home');
    expect(load(join(project, 'dist'), { env: userEnvironment(home) }).devices).toBeGreaterThan(0);
    expect(readdirSync(home, { recursive: true })).toEqual([]);
  });

  it('does not look through the command line, which a long argument made it crash on', () => {
    addAddon(project);
    addOrt(project);
    const env = userEnvironment(join(project, 'home'));
    // Linux takes 128 KiB an argument, Windows 32 a line.
    const args = ['a '.repeat(process.platform === 'win32' ? 12_000 : 60_000)];
    expect(load(join(project, 'dist'), { args, env }).devices).toBeGreaterThan(0);
  });
});

it('says that the addon is missing', () => {
  addOrt(project);
  const error = load(join(project, 'dist'));
  expect(error).toMatchObject({
    kind: 'internal',
    message: `The native part of ShadowNPU for ${platform} is missing.`,
  });
  expect(error.action).toContain('node native/build.mjs');
  expect(error.detail).toContain(join(project, 'dist'));
});

it('says that ONNX Runtime is missing', () => {
  addAddon(project);
  expect(load(join(project, 'dist'))).toMatchObject({
    kind: 'internal',
    message: `ONNX Runtime for ${platform} is missing.`,
  });
});

it('says why the machine cannot load the addon', () => {
  addAddon(project, 'no library at all');
  addOrt(project);
  const error = load(join(project, 'dist'));
  expect(error.kind).toBe('device-unusable');
  expect(error.message).toMatch(/cannot start its engine on this machine: .*shadownpu\.node/);
  expect(error.detail).toContain(join('node_modules', 'onnxruntime-node'));
});
