// @ts-check
// The engine's figures beside peers that do the same work in the same run. They alternate, so that
// both face the same load on the machine; the median counts.
import path from 'node:path';
import { median, repeated } from '#bench/figures.mjs';
import { say, tell } from '#bench/report.mjs';
import { root } from '#server/commands/prepare.mjs';
import { startPages } from './browser.mjs';
import { buildPages } from './pages.mjs';
import { startServer } from './server.mjs';

/** Both sides alternately. @param {number} times @param {() => Promise<number>} kaya @param {() => Promise<number>} peer */
async function inTurn(times, kaya, peer) {
  const rounds = await repeated(times, async () => ({ kaya: await kaya(), peer: await peer() }));
  return {
    kaya: median(rounds.map((round) => round.kaya)),
    peer: median(rounds.map((round) => round.peer)),
  };
}

/** @type {import('./browser.mjs').Pages} */
let pages;
const [tanstack, rxdb] = ['TanStack offline', 'RxDB on Dexie'];

/** @typedef {import('#bench/report.mjs').Figure} Figure */
/** @type {Record<string, () => Promise<Figure[]>>} */
const parts = {
  async start() {
    const filled = { count: 10_000, operations: 1_000 };
    await pages.measure('kaya', 'fill', filled);
    const starts = await repeated(5, async () => {
      await pages.restart();
      return /** @type {{ open: number, first: number, whole: number }} */ (
        await pages.measure('kaya', 'coldStart')
      );
    });
    const recomputed = await repeated(3, () => pages.measure('kaya', 'recompute', { times: 200 }));
    const heap = await pages.heapMb('kaya', 'hold');
    const p50 = median(recomputed.map((/** @type {{ p50: number }} */ one) => one.p50));
    return [
      {
        what: 'first 50 rows of 10,000, 1,000 operations queued, after a cold start',
        unit: 'ms',
        kaya: median(starts.map(({ first }) => first)),
        most: 100,
      },
      {
        what: 'of that, until the browser has opened the database',
        unit: 'ms',
        kaya: median(starts.map(({ open }) => open)),
      },
      {
        what: 'all 10,000 of them',
        unit: 'ms',
        kaya: median(starts.map(({ whole }) => whole)),
      },
      { what: 'one changed row to the views of 10,000, p50', unit: 'ms', kaya: p50, most: 5 },
      { what: 'heap with all of them', unit: 'MB', kaya: heap, most: 20 },
    ];
  },
  async enqueue() {
    /** @type {Array<{ kaya: { p50: number, p95: number }, peer: { p50: number, p95: number } }>} */
    const rounds = await repeated(3, async () => ({
      kaya: await pages.measure('kaya', 'enqueue', { count: 100 }),
      peer: await pages.measure('tanstack', 'enqueue', { count: 100 }),
    }));
    return /** @type {const} */ (['p50', 'p95']).map((part) => ({
      what: `durable enqueue, ${part}`,
      unit: 'ms',
      kaya: median(rounds.map(({ kaya }) => kaya[part])),
      peerName: tanstack,
      peer: median(rounds.map(({ peer }) => peer[part])),
      most: part === 'p50' ? 5 : 20,
    }));
  },
  async oneLane() {
    const measured = async (/** @type {number} */ count, /** @type {number} */ delayMs) => {
      const options = { count, packages: 1, delayMs };
      return inTurn(
        3,
        () => pages.measure('kaya', 'replay', options),
        () => pages.measure('tanstack', 'replay', options),
      );
    };
    const bare = { unit: 'op/s', ...(await measured(300, 0)), peerName: tanstack };
    const far = { unit: 'op/s', ...(await measured(100, 50)), peerName: tanstack };
    return [
      { what: 'replay in one lane, a server that takes no time', ...bare },
      { what: 'replay in one lane, a server that takes 50 ms', ...far, leastRatio: 0.9 },
    ];
  },
  async fourLanes() {
    const options = { count: 300, packages: 60, delayMs: 50 };
    const both = await inTurn(
      3,
      () => pages.measure('kaya', 'replay', options),
      () => pages.measure('tanstack', 'replay', options),
    );
    const what = 'replay in four lanes, a server that takes 50 ms';
    return [{ what, unit: 'op/s', ...both, peerName: tanstack, least: 45, leastRatio: 2.5 }];
  },
  async list() {
    const count = 5_000;
    /** @type {Array<{ longestMs: number, longTasks: number }>} */
    const scrolls = await repeated(3, () => pages.measure('list', 'scroll', { count }));
    /** @type {Array<{ p50: number, longest: number }>} */
    const searches = await repeated(3, () => pages.measure('list', 'search', { count }));
    return [
      {
        what: 'scrolling 5,000 packages, longest task',
        unit: 'ms',
        kaya: median(scrolls.map(({ longestMs }) => longestMs)),
        most: 50,
      },
      {
        what: 'of that, what the browser calls long tasks',
        unit: 'tasks',
        kaya: median(scrolls.map(({ longTasks }) => longTasks)),
        most: 0,
      },
      {
        what: 'search of 5,000, keystroke to painted, p50',
        unit: 'ms',
        kaya: median(searches.map(({ p50 }) => p50)),
        most: 50,
      },
      {
        what: 'of that, the slowest keystroke',
        unit: 'ms',
        kaya: median(searches.map(({ longest }) => longest)),
      },
    ];
  },
  async delta() {
    const both = await inTurn(
      3,
      () => pages.measure('kaya', 'delta', { count: 10_000, isShown: false }),
      () => pages.measure('rxdb', 'delta', { count: 10_000 }),
    );
    const shown = await repeated(3, () =>
      pages.measure('kaya', 'delta', { count: 10_000, isShown: true }),
    );
    const unit = 'rows/s';
    return [
      // Neither has a screen that reads along.
      {
        what: 'delta of 10,000 rows',
        unit,
        ...both,
        peerName: rxdb,
        least: 3_500,
        leastRatio: 1.2,
      },
      { what: 'the same, into a list that is shown', unit, kaya: median(shown) },
    ];
  },
};

const wanted = process.argv.slice(2);
const unknown = wanted.find((name) => !Object.keys(parts).includes(name));
if (unknown !== undefined) {
  say(`There is no piece '${unknown}' of client: ${Object.keys(parts).join(', ')}.`);
  process.exit(1);
}
buildPages();
const server = await startServer(path.join(root, 'dist/bench-client'));
pages = await startPages(server.url);
try {
  for (const [name, part] of Object.entries(parts)) {
    if (wanted.length > 0 && !wanted.includes(name)) continue;
    say(`Measuring ${name}…`);
    tell({ figures: await part() });
  }
} finally {
  await pages.stop();
  await server.stop();
}
