import { defineConfig } from '@playwright/test';
import { findBrowser, findWholeBrowser } from './tests/browser.mjs';
import type { Options } from './tests/e2e/kaya.ts';

const executablePath = process.env.CHROMIUM_PATH ?? findBrowser();
if (!executablePath) throw new Error('No Chromium found; run `npm test`, which brings one.');

/** Chromium refuses its sandbox to root, as whom a CI often runs. */
const args = process.getuid?.() === 0 ? ['--no-sandbox'] : [];

/** What has to do with the installed app: its shell without a network, its sending while it is closed. */
const installed = [
  ...[
    'attention',
    'connection',
    'deposit*',
    'dispatch',
    'edit-package',
    'install',
    'log-out',
    'lost-files',
    'main-job',
    'outbox-*',
  ],
  ...['pay-now', 'payment', 'places', 'profile', 'session', 'share', 'storage', 'update*'],
  ...['users*', 'without-network'],
].map((name) => `**/${name}.spec.ts`);

/** What needs a map: WebGL, drawn by the processor, since a test machine has no graphics card. */
const map = '**/map*.spec.ts';

/** Where there is a whole Chromium; the headless shell knows no notifications. */
const notifications = '**/notifications.spec.ts';
const wholeBrowser = findWholeBrowser();

/** The longest of all by far: whoever runs beside it has enough to do until it is over. */
const fieldDay = '**/field-day.spec.ts';

/** Real Chromium, the built app, the real server; each worker starts its own (tests/e2e/kaya.ts). */
export default defineConfig<Options>({
  testDir: 'tests/e2e/specs',
  globalSetup: './tests/e2e/built.ts',
  outputDir: 'test-results/e2e',
  fullyParallel: true,
  workers: 2,
  retries: 0,
  forbidOnly: true,
  projects: [
    // Seven phones at a time: each gets a share of the machine only.
    {
      ...{ name: 'field day', testMatch: fieldDay },
      ...{ timeout: 600_000, expect: { timeout: 30_000 } },
      use: { actionTimeout: 30_000 },
    },
    { name: 'installed', testMatch: installed },
    // Installing takes a sixth of a test's time, and changes nothing on a screen with a network.
    {
      name: 'screens',
      testIgnore: [fieldDay, ...installed, map, notifications],
      use: { hasServiceWorker: false },
    },
    {
      name: 'map',
      testMatch: map,
      use: { launchOptions: { executablePath, args: [...args, '--enable-unsafe-swiftshader'] } },
    },
    ...(wholeBrowser
      ? [
          {
            ...{ name: 'notifications', testMatch: notifications },
            use: { launchOptions: { executablePath: wholeBrowser, args } },
          },
        ]
      : []),
  ],
  timeout: 90_000,
  expect: { timeout: 10_000 },
  reporter: process.env.PLAYWRIGHT_JSON_OUTPUT_NAME ? [['list'], ['json']] : [['list']],
  use: {
    viewport: { width: 412, height: 915 },
    locale: 'en-NG',
    timezoneId: 'Africa/Lagos',
    // A trace of every test costs a twentieth of all of them: whoever looks for a fault says --trace on.
    trace: 'off',
    screenshot: 'only-on-failure',
    launchOptions: {
      executablePath,
      args,
    },
  },
});
