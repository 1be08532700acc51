import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['{contract,main,renderer,native,scripts}/**/*.test.{ts,tsx,mjs}'],
    // Two cores: a file at a time keeps native work from starving its neighbours.
    maxWorkers: 2,
    pool: 'forks',
    // For the tests that compare with onnxruntime-node itself; the app's own addon sets it.
    env: { ORT_DISABLE_TELEMETRY: '1' },
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
});
