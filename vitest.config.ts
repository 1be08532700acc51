import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['{contract,main,renderer,native,scripts}/**/*.test.{ts,tsx,mjs}'],
    // Two cores: a file at a time keeps native work from starving its neighbours.
    maxWorkers: 2,
    pool: 'forks',
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
});
