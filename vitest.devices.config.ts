/** Tests of devices under emulators, see scripts/test-devices.mjs. */
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['native/test/devices/*.devices.ts'],
    maxWorkers: 1,
    pool: 'forks',
    testTimeout: 15 * 60_000,
    // A cross build that starts from nothing.
    hookTimeout: 20 * 60_000,
  },
});
