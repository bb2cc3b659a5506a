import { defineConfig } from '@playwright/test';
import type { EngineOptions } from './stage.ts';

/** The main job in each engine; one server per test at a time is what the machine can carry. */
export default defineConfig<EngineOptions>({
  testDir: '.',
  globalSetup: '../e2e/built.ts',
  outputDir: '../../test-results/engines',
  workers: 1,
  retries: 0,
  forbidOnly: true,
  timeout: 180_000,
  reporter: process.send ? '../reporters/playwright.ts' : 'list',
  projects: [
    { name: 'Chromium', use: { engine: 'chromium' } },
    { name: 'Firefox', use: { engine: 'firefox' } },
    { name: 'WebKitGTK', use: { engine: 'webkit' } },
  ],
});
