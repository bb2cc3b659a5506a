// @ts-check
// One visit of a page, measured.
import { chromium } from '@playwright/test';
import { ensureBrowser } from '#tests/browser.mjs';

/**
 * Slow 4G, nominally 150 ms and 1.6 Mbit/s, as Lighthouse and DevTools translate it to delays per
 * request and bytes per second.
 */
const networks = {
  lighthouse: {
    offline: false,
    latency: 562.5,
    downloadThroughput: (1474.56 * 1024) / 8,
    uploadThroughput: (675 * 1024) / 8,
  },
  devTools: {
    offline: false,
    latency: 562.5,
    downloadThroughput: 180_000,
    uploadThroughput: 84_375,
  },
  /** 400 ms and 50 kbit/s, not translated. */
  secondGeneration: {
    offline: false,
    latency: 400,
    downloadThroughput: 6_250,
    uploadThroughput: 6_250,
  },
};

/**
 * @typedef {object} Screen
 * @property {string} path
 * @property {string} sign selector of an element that shows the screen is there
 * @property {string} within selector of the elements with the words
 * @property {readonly string[]} words that one such element shows, all of them
 */

/**
 * @typedef {object} Visit
 * @property {number} fcp ms
 * @property {number} lcp ms, before any input
 * @property {number} painted ms until the screen's sign was painted
 * @property {number} longTasks total ms of main-thread tasks of 50 ms and more
 */

/**
 * @typedef {object} Circumstances
 * @property {number} cpu slowdown factor
 * @property {boolean} isFirst with nothing cached
 * @property {keyof typeof networks} [network] of a first visit; by default Lighthouse's
 */

/** A cheap phone's first visit. @type {Circumstances} */
export const cheapPhone = { cpu: 4, isFirst: true };

export const column = { viewport: { width: 412, height: 823 } };
export const phone = { ...column, deviceScaleFactor: 1.75, isMobile: true, hasTouch: true };

export async function startBrowser() {
  const args = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  return chromium.launch({ executablePath: ensureBrowser(), args });
}

/**
 * A first visit does not wait for what a worker fetches in the background.
 * @param {import('@playwright/test').Browser} browser
 */
export async function phoneWithoutWorker(browser) {
  const context = await browser.newContext(phone);
  await context.addInitScript(() => Reflect.deleteProperty(Navigator.prototype, 'serviceWorker'));
  return context;
}

/** @param {import('@playwright/test').Page} page @param {Circumstances} how */
export async function throttle(page, { cpu, isFirst, network = 'lighthouse' }) {
  const session = await page.context().newCDPSession(page);
  await session.send('Emulation.setCPUThrottlingRate', { rate: cpu });
  if (!isFirst) return;
  await session.send('Network.enable');
  await session.send('Network.setCacheDisabled', { cacheDisabled: true });
  await session.send('Network.emulateNetworkConditions', networks[network]);
}

/** Runs in the page, before its scripts. @param {string} sign */
function record(sign) {
  const seen = { fcp: 0, lcp: 0, painted: 0, longTasks: 0 };
  Object.assign(globalThis, { seen });
  /** @param {string} type @param {(entry: PerformanceEntry) => void} note */
  const watch = (type, note) =>
    new PerformanceObserver((list) => list.getEntries().forEach(note)).observe({
      type,
      buffered: true,
    });
  watch('paint', ({ name, startTime }) => {
    if (name === 'first-contentful-paint') seen.fcp = startTime;
  });
  watch('largest-contentful-paint', ({ startTime }) => {
    seen.lcp = startTime;
  });
  watch('longtask', ({ duration }) => {
    seen.longTasks += duration;
  });
  new MutationObserver((_, observer) => {
    if (!document.querySelector(sign)) return;
    observer.disconnect();
    requestAnimationFrame(() =>
      setTimeout(() => {
        seen.painted = performance.now();
        Reflect.get(globalThis, 'notePainted')();
      }),
    );
  }).observe(document, { childList: true, subtree: true });
}

/**
 * Opens a page, checks its words, measures it and closes it.
 * @param {import('@playwright/test').BrowserContext} context @param {string} url of the server
 * @param {Screen} screen @param {Circumstances} how
 * @param {(page: import('@playwright/test').Page) => Promise<unknown>} [look]
 * @returns {Promise<Visit>}
 */
export async function visit(context, url, { path, sign, within, words }, how, look) {
  const page = await context.newPage();
  try {
    // Reported by the page: polling would slow it down.
    let note = () => {};
    const painted = new Promise((resolve) => {
      note = () => resolve(null);
    });
    // A page from a worker may be painted before a call that is not awaited.
    await page.exposeFunction('notePainted', () => note());
    await page.addInitScript(record, sign);
    await throttle(page, how);
    await page.goto(`${url}${path}`, { waitUntil: how.isFirst ? 'load' : 'commit' });
    const patience = page
      .waitForTimeout(30_000)
      .then(() => Promise.reject(new Error('The screen was not painted within 30 s.')));
    // Unhandled once the page has closed.
    patience.catch(() => undefined);
    const shown = words.reduce((found, hasText) => found.filter({ hasText }), page.locator(within));
    await Promise.race([painted, patience])
      .then(() => shown.first().waitFor({ timeout: 20_000 }))
      .catch(async (error) => {
        const text = await page.locator('body').innerText();
        throw new Error(`${path} shows '${text.slice(0, 300)}'.`, { cause: error });
      });
    // Late work of a first visit counts too.
    if (how.isFirst) await page.waitForTimeout(2_000);
    await look?.(page);
    return await page.evaluate(() => Reflect.get(globalThis, 'seen'));
  } finally {
    await page.close();
  }
}

/**
 * The first visit of a phone, without a service worker.
 * @param {import('@playwright/test').Browser} browser @param {string} url @param {Screen} screen
 * @param {Circumstances['network']} [network]
 */
export async function firstVisit(browser, url, screen, network = 'lighthouse') {
  const context = await phoneWithoutWorker(browser);
  try {
    return await visit(context, url, screen, { ...cheapPhone, network });
  } finally {
    await context.close();
  }
}
