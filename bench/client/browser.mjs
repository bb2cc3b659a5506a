// @ts-check
// A Chromium with its own profile on disk, so that cold starts are possible.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { chromium } from '@playwright/test';
import { ensureBrowser } from '#tests/browser.mjs';

/**
 * @typedef {object} Pages
 * @property {<T>(page: string, name: string, options?: object) => Promise<T>} measure in a new page
 * @property {(page: string, name: string) => Promise<number>} heapMb after such a measurement
 * @property {() => Promise<void>} restart keeps the profile
 * @property {() => Promise<void>} stop
 */

/** The heap after garbage collection. @param {import('@playwright/test').Page} page */
export async function heapMb(page) {
  const session = await page.context().newCDPSession(page);
  await session.send('HeapProfiler.enable');
  await session.send('HeapProfiler.collectGarbage');
  const { usedSize } = await session.send('Runtime.getHeapUsage');
  return usedSize / 2 ** 20;
}

/** @param {string} url @returns {Promise<Pages>} */
export async function startPages(url) {
  const profile = mkdtempSync(path.join(tmpdir(), 'kaya-bench-'));
  const args = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  const launch = () =>
    chromium.launchPersistentContext(profile, { executablePath: ensureBrowser(), args });
  let context = await launch();

  /** @param {string} name */
  async function open(name) {
    const page = await context.newPage();
    page.on('pageerror', (error) => process.stderr.write(`${name}: ${error.stack}\n`));
    await page.goto(`${url}/${name}.html`);
    await page.waitForFunction(() => 'measurements' in globalThis);
    return page;
  }

  /** @param {import('@playwright/test').Page} page @param {string} name @param {object} options */
  const run = (page, name, options) =>
    page.evaluate(
      ([wanted, given]) => Reflect.get(globalThis, 'measurements')[wanted](given),
      /** @type {[string, object]} */ ([name, options]),
    );

  return {
    async measure(name, measurement, options = {}) {
      const page = await open(name);
      const result = await run(page, measurement, options);
      await page.close();
      return result;
    },
    async heapMb(name, measurement) {
      const page = await open(name);
      await run(page, measurement, {});
      const heap = await heapMb(page);
      await page.close();
      return heap;
    },
    async restart() {
      await context.close();
      context = await launch();
    },
    async stop() {
      await context.close();
      rmSync(profile, { recursive: true, force: true });
    },
  };
}
