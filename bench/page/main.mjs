// @ts-check
// What a cheap phone waits for: first visits on a slow network, beside a page without scripts and
// an idle page with the same libraries; and starts offline. They alternate; the median of five
// counts.
import { build } from '#bench/build.mjs';
import { median } from '#bench/figures.mjs';
import { say, tell } from '#bench/report.mjs';
import { filledPhone } from './filled-phone.mjs';
import { auth, bare, home, list, still } from './screens.mjs';
import { startKaya, startPeers } from './served.mjs';
import { cheapPhone, column, firstVisit, startBrowser, visit } from './visits.mjs';

const rounds = 5;
const bareName = 'bare page, same libraries';
/** Packages on the phone of a signed-in user. */
const few = 1_000;
const many = 10_000;

build('Building the bare page', 'bench/page/vite.config.ts');
const kaya = await startKaya();
const peers = await startPeers();
const browser = await startBrowser();

/** @typedef {import('./visits.mjs').Visit} Visit */

/**
 * Alternates the visits; resolves with the medians.
 * @template {string} Name @param {Record<Name, () => Promise<Visit>>} visits
 * @returns {Promise<Record<Name, Visit>>}
 */
async function inTurn(visits) {
  const names = /** @type {Name[]} */ (Object.keys(visits));
  const seen = new Map(names.map((name) => [name, /** @type {Visit[]} */ ([])]));
  for (let round = 0; round < rounds; round += 1) {
    for (const name of names) seen.get(name)?.push(await visits[name]());
  }
  const medians = /** @type {Record<Name, Visit>} */ ({});
  for (const [name, all] of seen) {
    const of = (/** @type {keyof Visit} */ what) => median(all.map((each) => each[what]));
    const [fcp, lcp, painted, longTasks] = [of('fcp'), of('lcp'), of('painted'), of('longTasks')];
    medians[name] = { fcp, lcp, painted, longTasks };
  }
  return medians;
}

async function firstVisits() {
  say('Visiting for the first time…');
  const seen = await inTurn({
    kaya: () => firstVisit(browser, kaya.url, auth),
    still: () => firstVisit(browser, peers.url, still),
    bare: () => firstVisit(browser, peers.url, bare),
  });
  const figures = [
    {
      ...{ what: 'first visit: first contentful paint', unit: 'ms', kaya: seen.kaya.fcp },
      ...{ peer: seen.still.fcp, peerName: 'the page without scripts', mostRatio: 1.2 },
    },
    {
      ...{ what: 'first visit: largest contentful paint', unit: 'ms', kaya: seen.kaya.lcp },
      ...{ peer: seen.bare.lcp, peerName: bareName, mostRatio: 1.15 },
    },
    {
      ...{ what: 'first visit: in long tasks', unit: 'ms', kaya: seen.kaya.longTasks },
      ...{ peer: seen.bare.longTasks, peerName: bareName, mostRatio: 2 },
    },
  ];
  tell({ figures });
}

/** A signed-in user with packages, but none of the app's files. */
async function firstVisitsInside() {
  say('Visiting for the first time, signed in…');
  const { context, fill } = await filledPhone(browser, kaya.url, { hasWorker: false });
  await fill(few);
  const seen = await inTurn({
    home: () => visit(context, kaya.url, home, cheapPhone),
    list: () => visit(context, kaya.url, list(few), cheapPhone),
    bare: () => firstVisit(browser, peers.url, bare),
  });
  await context.close();
  const beside = { unit: 'ms', peerName: bareName };
  const screens = { 'Home, 1,000 packages': seen.home, 'list of 1,000 packages': seen.list };
  const figures = Object.entries(screens).flatMap(([name, { painted, longTasks }]) => [
    { what: `${name}: first visit`, ...beside, kaya: painted, peer: seen.bare.painted },
    { what: 'of that, in long tasks', ...beside, kaya: longTasks, peer: seen.bare.longTasks },
  ]);
  tell({ figures });
}

/** The bare page, cached by a worker that does nothing else. */
async function keptBarePage() {
  const context = await browser.newContext(column);
  const page = await context.newPage();
  await page.goto(`${peers.url}${bare.path}`);
  await page.evaluate(async () => {
    await navigator.serviceWorker.register('/bare-worker.js');
    await navigator.serviceWorker.ready;
  });
  await page.close();
  await context.setOffline(true);
  return context;
}

async function startsOffline() {
  say('Starting without a network…');
  const kept = await keptBarePage();
  const { context, fill } = await filledPhone(browser, kaya.url, { hasWorker: true });
  await context.setOffline(true);
  /** @param {number} cpu @param {import('./visits.mjs').Screen} screen */
  const started = (cpu, screen) => () => visit(context, kaya.url, screen, { cpu, isFirst: false });
  for (const [cpu, how] of /** @type {const} */ ([
    [1, 'without a network'],
    [4, 'without a network, CPU ÷ 4'],
  ])) {
    await fill(few);
    const seen = await inTurn({
      home: started(cpu, home),
      list: started(cpu, list(few)),
      bare: () => visit(kept, peers.url, bare, { cpu, isFirst: false }),
    });
    const beside = { unit: 'ms', peer: seen.bare.painted, peerName: bareName };
    const figures = [
      { what: `Home, 1,000 packages: opened ${how}`, ...beside, kaya: seen.home.painted },
      { what: `first row of 1,000, opened ${how}`, ...beside, kaya: seen.list.painted },
    ];
    tell({ figures });
  }
  await kept.close();
  await fill(many);
  const what = `first row of 10,000, opened without a network`;
  const seen = await inTurn({ fast: started(1, list(many)), slow: started(4, list(many)) });
  const figures = [
    { what, unit: 'ms', kaya: seen.fast.painted },
    { what: `${what}, CPU ÷ 4`, unit: 'ms', kaya: seen.slow.painted, most: 600 },
  ];
  tell({ figures });
  await context.close();
}

try {
  await firstVisits();
  await firstVisitsInside();
  await startsOffline();
} finally {
  await browser.close();
  await peers.stop();
  await kaya.stop();
}
