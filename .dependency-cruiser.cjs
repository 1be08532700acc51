/**
 * Which part may import which. Data flows one way through the contracts, and the engine stays free of Electron and of
 * the window, so that the app, the command line and the tests all run the same engine.
 * scripts/dependency-rules.test.mjs plants a violation of every rule and expects it to be found.
 */
const OURS = '^(contract|main|renderer|native|scripts|e2e|bench)/';
const TESTS = '\\.test\\.[cm]?tsx?$|\\.test\\.mjs$|/testdata/|/testing/|^native/test/';
/** The data folder's address: plain JavaScript that everything outside the engine may ask, and tests. */
const DATA_DIR = '^main/data-dir\\.mjs$';
/** Writes files whole; needs nothing but Node. */
const WRITE_WHOLE = '^main/write-whole\\.ts$';
const ELECTRON = '^electron$|node_modules/electron/|node_modules/@types/electron';

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    {
      name: 'contract-imports-nothing-of-ours',
      severity: 'error',
      from: { path: '^contract/' },
      to: { path: OURS, pathNot: '^contract/' },
    },
    {
      name: 'renderer-imports-contract-only',
      severity: 'error',
      from: { path: '^renderer/' },
      to: { path: OURS, pathNot: '^(renderer|contract)/' },
    },
    {
      name: 'engine-imports-contract-and-native-only',
      severity: 'error',
      from: { path: '^main/engine/', pathNot: TESTS },
      to: { path: OURS, pathNot: ['^(main/engine|contract|native/js)/'] },
    },
    {
      name: 'engine-tests-import-no-app',
      severity: 'error',
      from: { path: ['^main/engine/.*testdata/', '^main/engine/.*\\.test\\.'] },
      to: { path: OURS, pathNot: ['^(main/engine|contract|native/js)/', DATA_DIR] },
    },
    {
      name: 'parser-imports-contract-only',
      severity: 'error',
      from: { path: '^main/documents/intake/', pathNot: TESTS },
      to: { path: OURS, pathNot: '^(main/documents/intake|contract)/' },
    },
    {
      name: 'native-loader-imports-contract-only',
      severity: 'error',
      from: { path: '^native/js/', pathNot: TESTS },
      to: { path: OURS, pathNot: '^(native/js|contract)/' },
    },
    {
      name: 'preload-imports-contract-only',
      severity: 'error',
      from: { path: '^main/preload/' },
      to: { path: OURS, pathNot: '^(main/preload|contract)/' },
    },
    {
      name: 'app-is-imported-by-main-only',
      severity: 'error',
      from: { pathNot: ['^main/(main\\.ts$|compose/|app/)'] },
      to: { path: '^main/app/' },
    },
    {
      name: 'cli-runs-without-the-app',
      severity: 'error',
      from: { path: '^main/(cli|bench)/' },
      to: { path: '^main/', pathNot: ['^main/(cli|bench|engine|documents|compare/core)/', DATA_DIR, WRITE_WHOLE] },
    },
    {
      name: 'no-electron-outside-main',
      severity: 'error',
      from: {
        path: '^(contract|main/engine|main/bench|main/cli|main/documents|main/storage|native|renderer)/|^main/data-dir',
      },
      to: { path: ELECTRON },
    },
    {
      name: 'scripts-use-built-ins-and-tools-only',
      severity: 'error',
      from: { path: '^scripts/', pathNot: TESTS },
      to: { path: '^(contract|main|renderer|native/js|e2e|bench)/', pathNot: DATA_DIR },
    },
    {
      name: 'no-test-code-in-the-product',
      severity: 'error',
      from: { path: OURS, pathNot: [TESTS, '^(e2e|bench)/'] },
      to: { path: TESTS },
    },
    {
      name: 'no-cycles',
      severity: 'error',
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    {
      name: 'everything-resolves',
      severity: 'error',
      from: { path: OURS },
      to: { couldNotResolve: true },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '(^|/)(dist|build|\\.cache)/' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default', 'types'],
      extensions: ['.ts', '.tsx', '.mjs', '.cjs', '.js', '.d.ts', '.json'],
    },
  },
};
