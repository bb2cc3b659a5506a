import { defineConfig } from '@playwright/test';
import { findBrowser } from './tests/browser.mjs';
import type { Options } from './tests/e2e/kaya.ts';

const executablePath = process.env.CHROMIUM_PATH ?? findBrowser();
if (!executablePath) throw new Error('No Chromium found; run `npm test`, which brings one.');

/** What has to do with the installed app: its shell without a network, its sending while it is closed. */
const installed = [
  ...[
    'attention',
    'connection',
    'deposit*',
    'dispatch',
    'edit-package',
    'log-out',
    'lost-files',
    'main-job',
    'outbox-*',
  ],
  ...['pay-now', 'payment', 'profile', 'session', 'storage', 'update', 'users*'],
].map((name) => `**/${name}.spec.ts`);

/** Real Chromium, the built app, the real server; each worker starts its own (tests/e2e/kaya.ts). */
export default defineConfig<Options>({
  testDir: 'tests/e2e/specs',
  outputDir: 'test-results/e2e',
  fullyParallel: true,
  workers: 2,
  retries: 0,
  forbidOnly: true,
  projects: [
    { name: 'installed', testMatch: installed },
    // Installing takes a sixth of a test's time, and changes nothing on a screen with a network.
    { name: 'screens', testIgnore: installed, use: { hasServiceWorker: false } },
  ],
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
