/** Every dependency rule must catch what it forbids: a small tree is planted with one violation for each. */
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { cruise } from './check-dependencies.mjs';
import { ROOT } from './setup/paths.mjs';

const FOLDERS = ['contract', 'main', 'renderer', 'native', 'scripts'];

/** A tree that keeps the rules, one file for each part. */
const SOUND = {
  'contract/types.ts': 'export const one = 1;',
  'native/js/load.ts': "export { one } from '../../contract/types.ts';",
  'main/data-dir.mjs': 'export const dataDir = () => "";',
  'main/engine/engine.ts':
    "export { one } from '../../contract/types.ts';\nexport { one as two } from '../../native/js/load.ts';",
  'main/engine/engine.test.ts': "import './engine.ts';\nimport '../data-dir.mjs';\nimport './testdata/build.ts';",
  'main/engine/testdata/build.ts': 'export const build = 1;',
  'main/storage/storage.ts': 'export const storage = 1;',
  'main/app/window.ts': "import 'electron';\nexport const window = 1;",
  'main/main.ts': "import './app/window.ts';\nimport './storage/storage.ts';",
  'main/preload/preload.ts': "import 'electron';\nimport '../../contract/types.ts';",
  'main/cli/cli.ts': "import '../engine/engine.ts';\nimport '../data-dir.mjs';",
  'renderer/src/main.tsx': "import '../../contract/types.ts';",
  'scripts/start.mjs': "import '../main/data-dir.mjs';",
};

/** Rule -> the file that breaks it, and how. @type {Record<string, [file: string, source: string]>} */
const PLANTED = {
  'contract-imports-nothing-of-ours': ['contract/bad.ts', "import '../native/js/load.ts';"],
  'renderer-imports-contract-only': ['renderer/src/bad.ts', "import type {} from '../../main/storage/storage.ts';"],
  'engine-imports-contract-and-native-only': ['main/engine/bad.ts', "import '../storage/storage.ts';"],
  'engine-tests-import-no-app': ['main/engine/bad.test.ts', "import '../storage/storage.ts';"],
  'parser-imports-contract-only': ['main/documents/intake/bad.ts', "import '../../storage/storage.ts';"],
  'native-loader-imports-contract-only': ['native/js/bad.ts', "import '../../main/engine/engine.ts';"],
  'preload-imports-contract-only': ['main/preload/bad.ts', "import '../storage/storage.ts';"],
  'app-is-imported-by-main-only': ['main/storage/bad.ts', "import '../app/window.ts';"],
  'cli-runs-without-the-app': ['main/cli/bad.ts', "import '../storage/storage.ts';"],
  'no-electron-outside-main': ['main/engine/bad-electron.ts', "import { app } from 'electron';\nexport { app };"],
  'scripts-use-built-ins-and-tools-only': ['scripts/bad.mjs', "import '../main/engine/engine.ts';"],
  'no-test-code-in-the-product': ['main/engine/bad-data.ts', "import './testdata/build.ts';"],
  'no-cycles': ['main/storage/cycle-a.ts', "import './cycle-b.ts';"],
  'everything-resolves': ['main/storage/lost.ts', "import './nowhere.ts';"],
};

let root = '';

/** @param {Record<string, string>} files */
function write(files) {
  for (const [name, source] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), `${source}\n`);
  }
}

beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'rules-'));
  copyFileSync(join(ROOT, 'tsconfig.json'), join(root, 'tsconfig.json'));
  symlinkSync(join(ROOT, 'node_modules'), join(root, 'node_modules'), 'junction');
  write(SOUND);
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

describe('dependency rules', () => {
  test('find nothing in a sound tree, and see all of it', async () => {
    const { modules, violations } = await cruise(root, FOLDERS);
    expect(violations).toEqual([]);
    expect(modules).toBeGreaterThanOrEqual(Object.keys(SOUND).length);
  });

  test('each has a planted violation here', () => {
    const { forbidden } = createRequire(import.meta.url)('../.dependency-cruiser.cjs');
    expect(Object.keys(PLANTED).sort()).toEqual(
      forbidden.map((/** @type {{ name: string }} */ rule) => rule.name).sort(),
    );
  });

  test('each catches its violation', async () => {
    write(Object.fromEntries(Object.values(PLANTED)));
    write({ 'main/storage/cycle-b.ts': "import './cycle-a.ts';" });
    const { violations } = await cruise(root, FOLDERS);
    for (const [rule, [file]] of Object.entries(PLANTED)) {
      const from = violations.filter((violation) => violation.rule === rule).map((violation) => violation.from);
      expect(from, rule).toContain(file);
    }
  });
});
