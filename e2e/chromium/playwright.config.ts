/**
 * The checks of the window once more, with its page in the newest Chromium instead of the one that Electron brings. `npm test --
 * chromium` runs them.
 */
import { defineConfig } from '@playwright/test';
import { IN_CHROMIUM } from '../app.ts';
import common from '../playwright.config.ts';

process.env[IN_CHROMIUM] = '1';

export default defineConfig({
  ...common,
  testDir: '..',
  // What is about the page. Processes, the lock-down of the window and devices are Electron's side of the app.
  testMatch: ['1-first-start.spec.ts', 'chat.spec.ts', 'chromium/*.spec.ts'],
  testIgnore: [],
  outputDir: '../../test-results/chromium',
  globalSetup: '../global-setup.ts',
  timeout: 120_000,
});
