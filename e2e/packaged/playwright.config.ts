/** The packaged app of this system, from its first start to its first answer. `npm test -- packaged` runs it. */
import { defineConfig } from '@playwright/test';
import common from '../playwright.config.ts';

export default defineConfig({
  ...common,
  testDir: '.',
  testIgnore: [],
  outputDir: '../../test-results/packaged',
  globalSetup: '../global-setup.ts',
  timeout: 300_000,
});
