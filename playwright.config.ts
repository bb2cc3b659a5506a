import { defineConfig } from '@playwright/test';
import { browserArgs, findBrowser } from './tests/browser.mjs';
import type { Options } from './tests/e2e/kaya.ts';
import { isLong } from './tests/size.ts';

const executablePath = process.env.CHROMIUM_PATH ?? findBrowser();
if (!executablePath) throw new Error('No Chromium found; run `npm test`, which brings one.');

const fieldDay = '**/field-day.spec.ts';

/**
 * Real Chromium, the built app, the real server; each worker starts its own (tests/e2e/kaya.ts).
 */
export default defineConfig<Options>({
  testDir: 'tests/e2e/specs',
  globalSetup: './tests/e2e/built.ts',
  outputDir: 'test-results/e2e',
  ...(isLong ? { grep: /@long/ } : { grepInvert: /@long/ }),
  fullyParallel: true,
  workers: 2,
  retries: 0,
  forbidOnly: true,
  projects: [
    // Seven phones at a time: each gets only a share of the machine.
    {
      name: 'field day',
      testMatch: fieldDay,
      timeout: 600_000,
      expect: { timeout: 30_000 },
      use: { actionTimeout: 30_000 },
    },
    { name: 'browser', testIgnore: fieldDay },
  ],
  // Against hanging only: on a busy machine the journeys of the long run take over a minute.
  timeout: isLong ? 180_000 : 90_000,
  expect: { timeout: isLong ? 30_000 : 20_000 },
  reporter: process.send ? './tests/reporters/playwright.ts' : 'list',
  use: {
    viewport: { width: 412, height: 915 },
    locale: 'en-NG',
    timezoneId: 'Africa/Lagos',
    // Tracing every test takes 5 % of CPU time; `--trace on` records one.
    trace: 'off',
    screenshot: 'only-on-failure',
    launchOptions: { executablePath, args: browserArgs },
  },
});
