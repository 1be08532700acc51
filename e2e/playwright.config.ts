/** End-to-end tests: the built app in a real Electron window with the real model. `npm test -- e2e` runs them. */
import { defineConfig } from '@playwright/test';

export default defineConfig({
  testDir: '.',
  // Suites of their own.
  testIgnore: ['packaged/**', 'screenshots/**', 'chromium/**'],
  outputDir: '../test-results',
  globalSetup: './global-setup.ts',
  // One window at a time: two engines would only slow each other.
  workers: 1,
  fullyParallel: false,
  forbidOnly: true,
  timeout: 90_000,
  expect: { timeout: 20_000 },
});
