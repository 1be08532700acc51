/** Pictures of every screen for docs/screenshots. `npm run screenshots` takes them. */
import { defineConfig } from '@playwright/test';
import common from '../playwright.config.ts';

export default defineConfig({
  ...common,
  testDir: '.',
  testIgnore: [],
  outputDir: '../../test-results/screenshots',
  globalSetup: '../global-setup.ts',
  timeout: 900_000,
});
