// @ts-check
// How cost grows with the data on the phone: from a hundred to fifty thousand packages, and queued
// operations. Uses the real app, opened offline; engine and list as in the client's part.
import path from 'node:path';
import { heapMb, startPages } from '#bench/client/browser.mjs';
import { buildPages } from '#bench/client/pages.mjs';
import { startServer } from '#bench/client/server.mjs';
import { median, repeated } from '#bench/figures.mjs';
import { filledPhone } from '#bench/page/filled-phone.mjs';
import { list } from '#bench/page/screens.mjs';
import { startKaya } from '#bench/page/served.mjs';
import { startBrowser, visit } from '#bench/page/visits.mjs';
import { say, tell } from '#bench/report.mjs';
import { root } from '#server/commands/prepare.mjs';

const sizes = [100, 1_000, 10_000, 50_000];
const queues = [1, 10, 100];
const rounds = 3;
const byPackages = 'by packages in the mirror';
const byOperations = 'by operations queued';
const firstRow = 'first row painted, opened without a network';

/**
 * @template T @param {readonly number[]} all @param {(size: number) => Promise<T>} measure
 * @returns {Promise<Array<{ size: number, found: T }>>}
 */
async function forEach(all, measure) {
  const steps = [];
  for (const size of all) {
    say(`  ${size}…`);
    steps.push({ size, found: await measure(size) });
  }
  return steps;
}

/** @template T @param {ReadonlyArray<{ size: number, found: T }>} found @param {(one: T) => number} figureOf */
const stepsOf = (found, figureOf) =>
  found.map(({ size, found: one }) => ({ size, figure: figureOf(one) }));

/**
 * The time to open the list of `count` packages.
 * @param {import('@playwright/test').BrowserContext} context @param {string} url
 * @param {import('#bench/page/visits.mjs').Screen} screen
 */
async function opened(context, url, screen) {
  const at = async (/** @type {number} */ cpu) => {
    const how = { cpu, isFirst: false };
    const visits = await repeated(rounds, () => visit(context, url, screen, how));
    return median(visits.map(({ painted }) => painted));
  };
  return { fast: await at(1), slow: await at(4) };
}

/** @param {string} by @param {ReadonlyArray<{ size: number, found: { fast: number, slow: number } }>} found */
const openings = (by, found) => [
  { what: firstRow, unit: 'ms', by, steps: stepsOf(found, ({ fast }) => fast) },
  { what: `${firstRow}, CPU ÷ 4`, unit: 'ms', by, steps: stepsOf(found, ({ slow }) => slow) },
];

/**
 * The list page's heap once all packages are loaded.
 * @param {import('@playwright/test').BrowserContext} context @param {string} url @param {number} count
 */
async function heapOf(context, url, count) {
  let heap = Number.NaN;
  await visit(context, url, list(count), { cpu: 1, isFirst: false }, async (page) => {
    // The total appears only once all packages are loaded.
    const search = page.getByRole('searchbox', { name: 'Search packages' });
    await search.fill('Bale');
    const all = new Intl.NumberFormat('en').format(count);
    await page.getByText(`${all} of ${all} packages`).waitFor();
    await search.fill('');
    heap = await heapMb(page);
  });
  return heap;
}

/** @param {import('@playwright/test').Browser} browser @param {string} url */
async function withPackages(browser, url) {
  say('Opening the list…');
  const { context, fill } = await filledPhone(browser, url, { hasWorker: true });
  await context.setOffline(true);
  const found = await forEach(sizes, async (count) => {
    await fill(count);
    return {
      ...(await opened(context, url, list(count))),
      heap: await heapOf(context, url, count),
    };
  });
  await context.close();
  const by = byPackages;
  tell({
    growth: [
      ...openings(by, found),
      {
        what: 'heap of the page with all of them, after garbage collection',
        unit: 'MB',
        by,
        steps: stepsOf(found, ({ heap }) => heap),
      },
    ],
  });
}

/**
 * A thousand packages, the oldest of them accepted.
 * @param {import('@playwright/test').Browser} browser @param {string} url
 */
async function withQueue(browser, url) {
  say('Opening the list over a queue…');
  const count = 1_000;
  const found = await forEach(queues, async (operations) => {
    const { context, fill, queue } = await filledPhone(browser, url, { hasWorker: true });
    await context.setOffline(true);
    await fill(count);
    await queue(operations);
    const result = await opened(context, url, list(count));
    await context.close();
    return result;
  });
  tell({ growth: openings(byOperations, found) });
}

/** @param {import('#bench/client/browser.mjs').Pages} pages */
async function pulling(pages) {
  say('Pulling…');
  const found = await forEach(sizes, async (count) =>
    median(await repeated(rounds, () => pages.measure('kaya', 'pull', { count }))),
  );
  const steps = stepsOf(found, (seconds) => seconds);
  tell({ growth: [{ what: 'all of them pulled and shown', unit: 's', by: byPackages, steps }] });
}

/** @param {import('#bench/client/browser.mjs').Pages} pages */
async function searching(pages) {
  say('Searching…');
  const found = await forEach(sizes, async (count) => {
    /** @type {Array<{ p50: number, longest: number }>} */
    const all = await repeated(rounds, () => pages.measure('list', 'search', { count }));
    return {
      p50: median(all.map(({ p50 }) => p50)),
      longest: median(all.map(({ longest }) => longest)),
    };
  });
  const of = { unit: 'ms', by: byPackages };
  const [usual, slowest] = [stepsOf(found, (one) => one.p50), stepsOf(found, (one) => one.longest)];
  tell({
    growth: [
      { what: 'search, keystroke to painted, p50', ...of, steps: usual },
      { what: 'of that, the slowest keystroke', ...of, steps: slowest },
    ],
  });
}

/** @param {import('#bench/client/browser.mjs').Pages} pages */
async function draining(pages) {
  say('Draining…');
  const found = await forEach(queues, async (count) => {
    const options = { count, packages: count, delayMs: 50 };
    /** @type {number[]} */
    const perSecond = await repeated(rounds, () => pages.measure('kaya', 'replay', options));
    return (count / median(perSecond)) * 1000;
  });
  const what = 'until all are sent, a server that takes 50 ms';
  const steps = stepsOf(found, (ms) => ms);
  tell({ growth: [{ what, unit: 'ms', by: byOperations, steps }] });
}

const kaya = await startKaya();
const browser = await startBrowser();
try {
  await withPackages(browser, kaya.url);
  await withQueue(browser, kaya.url);
} finally {
  await browser.close();
  await kaya.stop();
}
buildPages();
const server = await startServer(path.join(root, 'dist/bench-client'));
const pages = await startPages(server.url);
try {
  await draining(pages);
  await pulling(pages);
  await searching(pages);
} finally {
  await pages.stop();
  await server.stop();
}
