import { defineConfig } from '@playwright/test';
import { findBrowser } from './tests/browser.mjs';

const executablePath = process.env.CHROMIUM_PATH ?? findBrowser();
if (!executablePath) throw new Error('No Chromium found; run `npm test`, which brings one.');

/** Real Chromium, the built app, the real server; each worker starts its own (tests/e2e/kaya.ts). */
export default defineConfig({
  testDir: 'tests/e2e/specs',
  outputDir: 'test-results/e2e',
  fullyParallel: true,
  workers: 2,
  retries: 0,
  forbidOnly: true,
  timeout: 90_000,
  expect: { timeout: 10_000 },
  reporter: process.env.PLAYWRIGHT_JSON_OUTPUT_NAME ? [['list'], ['json']] : [['list']],
  use: {
    viewport: { width: 412, height: 915 },
    locale: 'en-NG',
    timezoneId: 'Africa/Lagos',
    // What was done, said and asked; a film of every step would cost more than the tests themselves.
    trace: { mode: 'retain-on-failure', screenshots: false, snapshots: false, sources: false },
    screenshot: 'only-on-failure',
    launchOptions: {
      executablePath,
      // Chromium refuses its sandbox to root, as whom a CI often runs.
      args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
    },
  },
});
