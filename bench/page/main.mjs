// @ts-check
// What a cheap phone waits for: first visits on a slow network, beside a page that is only the
// splash and an idle page with the same libraries; and starts offline. They alternate; the median of
// five counts.
import { build } from '#bench/build.mjs';
import { median } from '#bench/figures.mjs';
import { say, tell } from '#bench/report.mjs';
import { filledPhone } from './filled-phone.mjs';
import { auth, bare, home, list, still } from './screens.mjs';
import { startKaya, startPeers } from './served.mjs';
import { cheapPhone, column, firstVisit, startBrowser, visit } from './visits.mjs';

const rounds = 5;
const bareName = 'bare page, same libraries';
const stillName = 'the splash alone';
/** Packages on the phone of a signed-in user. */
const few = 1_000;
const many = 10_000;

build('Building the bare page', 'bench/page/vite.config.ts');
const kaya = await startKaya();
const peers = await startPeers(kaya.url);
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
  for (const [network, name] of /** @type {const} */ ([
    ['lighthouse', "Lighthouse's slow 4G"],
    ['devTools', "DevTools' slow 4G"],
  ])) {
    const seen = await inTurn({
      kaya: () => firstVisit(browser, kaya.url, auth, network),
      still: () => firstVisit(browser, peers.url, still, network),
      bare: () => firstVisit(browser, peers.url, bare, network),
    });
    const beside = { unit: 'ms', peerName: bareName };
    const figures = [
      {
        what: `first visit, ${name}: first contentful paint`,
        unit: 'ms',
        kaya: seen.kaya.fcp,
        peer: seen.still.fcp,
        peerName: stillName,
        mostRatio: 1.15,
      },
      {
        what: 'of that: largest contentful paint',
        ...beside,
        kaya: seen.kaya.lcp,
        peer: seen.bare.lcp,
        mostRatio: 1.15,
      },
      {
        what: 'of that, in long tasks',
        ...beside,
        kaya: seen.kaya.longTasks,
        peer: seen.bare.longTasks,
        mostRatio: 2,
      },
    ];
    tell({ figures });
  }
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
  const screens = /** @type {const} */ ([
    ['Home, 1,000 packages', seen.home, 1.4],
    ['list of 1,000 packages', seen.list, 1.6],
  ]);
  const figures = screens.flatMap(([name, { painted, longTasks }, mostRatio]) => [
    { what: `${name}: first visit`, ...beside, kaya: painted, peer: seen.bare.painted, mostRatio },
    { what: 'of that, in long tasks', ...beside, kaya: longTasks, peer: seen.bare.longTasks },
  ]);
  tell({ figures });
}

/** A phone on which a worker has cached the pages beside Kaya's, and does nothing else. */
async function keptPeers() {
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

/** A phone that has opened Kaya once, signed out. */
async function keptKaya() {
  const context = await browser.newContext(column);
  const page = await context.newPage();
  await page.goto(`${kaya.url}${auth.path}`);
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => true));
  await page.close();
  await context.setOffline(true);
  return context;
}

/** @param {import('@playwright/test').BrowserContext} peersKept */
async function paintsOffline(peersKept) {
  say('Painting without a network…');
  const kept = await keptKaya();
  const how = { cpu: 4, isFirst: false };
  const seen = await inTurn({
    kaya: () => visit(kept, kaya.url, auth, how),
    still: () => visit(peersKept, peers.url, still, how),
  });
  await kept.close();
  const what = 'first contentful paint, opened without a network, CPU ÷ 4';
  const peer = { peer: seen.still.fcp, peerName: `${stillName}, cached`, mostRatio: 1.15 };
  tell({ figures: [{ what, unit: 'ms', kaya: seen.kaya.fcp, ...peer }] });
}

/** @param {import('@playwright/test').BrowserContext} peersKept */
async function startsOffline(peersKept) {
  say('Starting without a network…');
  const { context, fill } = await filledPhone(browser, kaya.url, { hasWorker: true });
  await context.setOffline(true);
  /** @param {number} cpu @param {import('./visits.mjs').Screen} screen */
  const started = (cpu, screen) => () => visit(context, kaya.url, screen, { cpu, isFirst: false });
  const speeds = /** @type {const} */ ([
    [1, 'without a network', {}],
    [4, 'without a network, CPU ÷ 4', { mostRatio: 2 }],
  ]);
  /** @param {number} cpu */
  const bareAt = (cpu) => () => visit(peersKept, peers.url, bare, { cpu, isFirst: false });
  await fill(few);
  for (const [cpu, how, bar] of speeds) {
    const seen = await inTurn({
      home: started(cpu, home),
      list: started(cpu, list(few)),
      bare: bareAt(cpu),
    });
    const beside = { unit: 'ms', peer: seen.bare.painted, peerName: bareName };
    const figures = [
      { what: `Home, 1,000 packages: opened ${how}`, ...beside, kaya: seen.home.painted },
      { what: `first row of 1,000, opened ${how}`, ...beside, kaya: seen.list.painted, ...bar },
    ];
    tell({ figures });
  }
  await fill(many);
  for (const [cpu, how, bar] of speeds) {
    const seen = await inTurn({ list: started(cpu, list(many)), bare: bareAt(cpu) });
    const beside = { unit: 'ms', peer: seen.bare.painted, peerName: bareName };
    const what = `first row of 10,000, opened ${how}`;
    tell({ figures: [{ what, ...beside, kaya: seen.list.painted, ...bar }] });
  }
  await context.close();
}

try {
  await firstVisits();
  await firstVisitsInside();
  const peersKept = await keptPeers();
  await paintsOffline(peersKept);
  await startsOffline(peersKept);
} finally {
  await browser.close();
  await peers.stop();
  await kaya.stop();
}
