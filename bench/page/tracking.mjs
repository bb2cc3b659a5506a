// @ts-check
// The recipient's page without scripts on a cheap phone's 2G, beside a static page of the same
// bytes. They alternate; the median of five counts.
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { median } from '#bench/figures.mjs';
import { say, tell } from '#bench/report.mjs';
import { serve } from '#bench/serve.mjs';
import { root } from '#server/commands/prepare.mjs';
import { callsTo, join, startKaya } from './served.mjs';
import { phone, startBrowser, throttle } from './visits.mjs';

const rounds = 5;
const name = 'the recipient’s page on 2G, no scripts, CPU ÷ 6';

/** A package that its courier carries, with a code: its path. @param {string} url */
async function follow(url) {
  const parcel = {
    pickupAddress: '12 Kofar Mata Road, Kano',
    deliveryAddress: '4 Zoo Road, Kano',
    recipientName: 'Musa Ibrahim',
    recipientPhone: '0805 765 4321',
    description: 'Two bolts of indigo cloth',
    pickupDate: '2027-01-15T09:00:00.000Z',
    priceOffer: 1500,
    paymentMethod: 'cash',
    handover: 'code',
  };
  const call = callsTo(url);
  /** @param {string} role @param {string} firstName */
  const person = (role, firstName) => {
    const email = `${firstName.toLowerCase()}@kaya.test`;
    return join(url, { email, password: 'a-good-password', role }, firstName);
  };
  const [sender, courier] = [await person('Customer', 'Amina'), await person('Employee', 'Sani')];
  const made = await call('POST', '/api/packages', parcel, sender.token);
  const accepted = { deliveryPersonId: courier.id, deliveryStatus: 'In Transit' };
  await call('PATCH', `/api/packages/${made._id}`, accepted, courier.token);
  const event = { _id: crypto.randomUUID(), occurredAt: new Date().toISOString() };
  const events = `/api/packages/${made._id}/events`;
  await call('POST', events, { ...event, type: 'picked_up' }, courier.token);
  return made.trackingPath;
}

/**
 * The page as it is now, from memory, with its headers and its picture.
 * @param {string} url @param {string} at
 */
async function startStill(url, at) {
  const answer = await fetch(`${url}${at}`, { headers: { 'accept-encoding': 'gzip' } });
  const html = Buffer.from(await answer.arrayBuffer());
  const own = /^(content-(length|encoding)|transfer-encoding|date|connection|keep-alive)$/;
  const headers = Object.fromEntries([...answer.headers].filter(([header]) => !own.test(header)));
  const page = gzipSync(html);
  const icon = await fetch(`${url}/icons/mark.svg`);
  const mark = gzipSync(Buffer.from(await icon.arrayBuffer()));
  const server = createServer((request, response) => {
    const isIcon = request.url === '/icons/mark.svg';
    response.writeHead(200, {
      ...(isIcon ? { 'content-type': 'image/svg+xml' } : headers),
      'content-encoding': 'gzip',
    });
    response.end(isIcon ? mark : page);
  });
  return { ...(await serve(server)), bytes: html.length };
}

/**
 * ms until the first paint of text.
 * @param {import('@playwright/test').Browser} browser @param {string} address
 */
async function firstPaint(browser, address) {
  const context = await browser.newContext({ ...phone, javaScriptEnabled: false });
  try {
    const page = await context.newPage();
    await throttle(page, { cpu: 6, isFirst: true, network: 'secondGeneration' });
    await page.goto(address, { waitUntil: 'load', timeout: 60_000 });
    await page.locator('#stage h1').waitFor();
    const entries = await page.evaluate(() =>
      performance.getEntriesByName('first-contentful-paint').map(({ startTime }) => startTime),
    );
    const [ms] = entries;
    if (ms === undefined) throw new Error('Nothing was painted.');
    return ms;
  } finally {
    await context.close();
  }
}

/** @param {string} file as the server sends it */
const sizeOf = (file) =>
  gzipSync(readFileSync(path.join(root, 'dist/web', file)), { level: 9 }).length;

say('Visiting the recipient’s page…');
const kaya = await startKaya();
const browser = await startBrowser();
try {
  const at = await follow(kaya.url);
  const still = await startStill(kaya.url, at);
  /** @type {number[]} */
  const ours = [];
  /** @type {number[]} */
  const theirs = [];
  for (let round = 0; round < rounds; round += 1) {
    ours.push(await firstPaint(browser, `${kaya.url}${at}`));
    theirs.push(await firstPaint(browser, `${still.url}${at}`));
  }
  await still.stop();
  const peer = { peer: median(theirs), peerName: 'a static page of the same bytes' };
  tell({
    figures: [
      {
        what: `${name}: first contentful paint`,
        unit: 'ms',
        kaya: median(ours),
        ...peer,
        mostRatio: 1.2,
      },
      { what: 'of that, the HTML', unit: 'bytes', kaya: still.bytes, most: 20_000 },
      { what: 'its script, gzip', unit: 'bytes', kaya: sizeOf('track/live.js'), most: 12_000 },
    ],
  });
} finally {
  await browser.close();
  await kaya.stop();
}
