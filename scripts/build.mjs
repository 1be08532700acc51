/**
 * Builds what Electron and the CLI run: CommonJS bundles of the TypeScript sources in dist/, and the window's page in
 * dist/renderer/. `node scripts/build.mjs` builds everything; the other scripts build what changed.
 *
 * Targets are the oldest supported run time: Electron 22, that is Node 16.17 and Chromium 108.
 */
import { cpSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { DIST, ROOT } from './setup/paths.mjs';

/** Bundle name in dist/ -> entry. */
const ENTRIES = {
  main: 'main/main.ts',
  preload: 'main/preload/preload.ts',
  engine: 'main/engine/process.ts',
  worker: 'main/engine/attention/worker.ts',
  pilot: 'main/engine/attention/pilot/pilot-thread.ts',
  compile: 'main/engine/device/compile-thread.ts',
  'npu-compiler': 'main/engine/device/npu-compiler.ts',
  device: 'main/engine/session/device-thread.ts',
  'device-test': 'main/engine/device/self-test/child.ts',
  parser: 'main/documents/intake/process.ts',
  sampler: 'main/telemetry/thread.ts',
  check: 'main/storage/check-thread.ts',
  cli: 'main/cli/cli.ts',
};
/** Packages with binaries of their own: loaded from node_modules at run time. */
const EXTERNAL = ['electron', '@photostructure/sqlite', 'onnxruntime-node', 'node-llama-cpp'];

/** What libraries read at run time: package -> what is copied of it, and its name in dist/. */
const DATA = {
  'pdfjs-dist': {
    cmaps: 'pdfjs/cmaps',
    standard_fonts: 'pdfjs/standard_fonts',
    wasm: 'pdfjs/wasm',
    LICENSE: 'pdfjs/LICENSE',
  },
  'tesseract.js-core': {
    // Below a package of modules, as this one is, .js would be one.
    'tesseract-core-simd-lstm.js': 'tesseract/tesseract-core-simd-lstm.cjs',
    'tesseract-core-simd-lstm.wasm': 'tesseract/tesseract-core-simd-lstm.wasm',
    LICENSE: 'tesseract/LICENSE',
  },
};

/** Bundles everything that runs in Node or in Electron's own processes. */
export async function buildNode() {
  const data = Object.keys(DATA).map((library) => `node_modules/${library}`);
  notePackages('node', [...(await bundle(ENTRIES)), ...data]);
  for (const [library, names] of Object.entries(DATA)) {
    for (const [name, built] of Object.entries(names)) {
      cpSync(join(ROOT, 'node_modules', library, name), join(DIST, built), { recursive: true });
    }
  }
}

/**
 * Bundles sources into dist/. Files appear whole: a command that starts meanwhile finds either the old bundle or the new
 * one.
 * @param {Record<string, string>} entries name in dist/, without suffix -> source file
 * @returns {Promise<string[]>} the files that went in
 * @throws {Error} with esbuild's messages when a source does not compile
 */
export async function bundle(entries) {
  const { build } = await import('esbuild');
  const result = await build({
    absWorkingDir: ROOT,
    entryPoints: entries,
    outdir: DIST,
    outExtension: { '.js': '.cjs' },
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node16.17',
    external: EXTERNAL,
    loader: { '.png': 'dataurl' },
    sourcemap: 'linked',
    metafile: true,
    write: false,
    logLevel: 'silent',
  });
  for (const file of result.outputFiles) {
    mkdirSync(dirname(file.path), { recursive: true });
    const temporary = `${file.path}.${process.pid}.tmp`;
    writeFileSync(temporary, file.contents);
    renameSync(temporary, file.path);
  }
  return Object.keys(result.metafile.inputs);
}

/**
 * Builds the window's page with Vite into a folder beside the old one, then exchanges the two.
 * @throws {Error} with Vite's messages when a source does not compile
 */
export async function buildRenderer() {
  const { build } = await import('vite');
  const target = join(DIST, 'renderer');
  const fresh = join(DIST, `renderer.${process.pid}.tmp`);
  const { NODE_ENV: before } = process.env;
  try {
    const result = await build({
      root: join(ROOT, 'renderer'),
      configFile: join(ROOT, 'renderer', 'vite.config.ts'),
      logLevel: 'error',
      build: { outDir: fresh, emptyOutDir: true },
    });
    rmSync(target, { recursive: true, force: true });
    renameSync(fresh, target);
    const outputs = [result].flat().flatMap((part) => ('output' in part ? part.output : []));
    notePackages(
      'renderer',
      outputs.flatMap((part) => (part.type === 'chunk' ? part.moduleIds : [])),
    );
  } finally {
    // Vite sets it for the whole process, and the tests that a script starts later would inherit it.
    if (before === undefined) delete process.env.NODE_ENV;
    else process.env.NODE_ENV = before;
    rmSync(fresh, { recursive: true, force: true });
  }
}

/**
 * Writes down whose packages a bundle holds, for the notices (notices.mjs): dist/<part>.packages.json, a list of folders of
 * node_modules.
 * @param {string} part
 * @param {string[]} files that went into the bundle or lie beside it
 */
function notePackages(part, files) {
  const folders = files.flatMap(
    (file) => /.*node_modules\/(?:@[^/]+\/)?[^/?]+/.exec(file.replaceAll('\\', '/'))?.[0] ?? [],
  );
  const names = folders.map((folder) => folder.slice(folder.indexOf('node_modules/')));
  writeFileSync(join(DIST, `${part}.packages.json`), `${JSON.stringify([...new Set(names)].sort(), undefined, 2)}\n`);
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const started = Date.now();
  await Promise.all([buildNode(), buildRenderer()]);
  process.stderr.write(`Built dist/ in ${((Date.now() - started) / 1000).toFixed(1)} s\n`);
}
