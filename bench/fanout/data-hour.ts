/**
 * What a courier's phone receives and sends in an hour of 10,000 packages a day, with the list of
 * offers open in a real browser: by a stream of rows, and by pulls as before it. The same app runs
 * twice at the same time, each behind a proxy that counts bytes; the proxy of the second one hides
 * `rows` from the server, which then sends plain `change` events.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Browser, BrowserContext } from '@playwright/test';
import { column, startBrowser } from '#bench/page/visits.mjs';
import { say, tell } from '#bench/report.mjs';
import { fillPglite, fillPostgres } from '#bench/server/places.ts';
import { type Place, startProduct } from '#bench/server/processes.ts';
import { type SeededPerson, tokensFor } from '#bench/server/requests.ts';
import { secret } from '#bench/server/stage.ts';
import { routes } from '#contract/routes.ts';
import { eventsPath } from '#contract/stream.ts';
import { startTcpProxy } from '#tests/fakes/tcp-proxy.ts';
import { startPostgres } from '#tests/postgres.mjs';
import { createWriters, freeOf } from './writers.ts';

/** Two hours of offers at 10,000 packages a day: 2,000 are on offer. */
const size = { packages: 5_000, users: 2_000 };
/** Creates and accepts at the peak of 10,000 packages a day (docs/scaling.md). */
const changesPerSecond = 5 / 3;
const settleMs = 20_000;
const windowMs = 180_000;
/** Two lists every 60 s, with no change at all. */
const timedCalls = (2 * windowMs) / 60_000;
const courier = { email: 'courier@kaya.test', password: 'a-good-password' };

/** The embedded browser talks plain HTTP, which production's cookies do not survive. */
const settings = { NODE_ENV: 'development', TILE_URL: 'off', TRUST_PROXY: 'off' };

interface Meter {
  url: string;
  bytes: number;
  listCalls: number;
  close(): Promise<void>;
}

const streamRequest = Buffer.from(`GET ${eventsPath}?rows=1`);
const lists = [routes.listPackages, routes.listUsers].map(({ path: list }) => `GET ${list}?`);

/** A proxy that counts; `isPlain`: `?rows=1` becomes the query `?xows=1`, which means nothing. */
async function startMeter(port: number, isPlain: boolean): Promise<Meter> {
  const counted = { bytes: 0, listCalls: 0 };
  const proxy = await startTcpProxy({ host: '127.0.0.1', port }, () => ({
    near: (chunk) => {
      const text = chunk.toString('latin1');
      counted.bytes += chunk.length;
      counted.listCalls += lists.filter((list) => text.includes(list)).length;
      const at = isPlain ? chunk.indexOf(streamRequest) : -1;
      if (at >= 0) chunk.write('x', at + streamRequest.length - 'rows=1'.length);
      return true;
    },
    far: (chunk) => {
      counted.bytes += chunk.length;
      return true;
    },
  }));
  return Object.assign(counted, {
    url: `http://127.0.0.1:${proxy.port}`,
    close: () => proxy.close(),
  });
}

/** A courier with a complete profile. */
async function signUp(url: string): Promise<void> {
  const call = async (method: string, at: string, body: object, token = '') => {
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` };
    const answer = await fetch(`${url}${at}`, { method, headers, body: JSON.stringify(body) });
    if (!answer.ok) throw new Error(`${method} ${at}: ${answer.status} ${await answer.text()}`);
    return answer.json();
  };
  const account = { ...courier, role: 'Employee' };
  const { accessToken, user } = await call('POST', routes.signUp.path, account);
  const name = { firstName: 'Sani', lastName: 'Musa', phoneNumber: '0803 123 4567' };
  const body = { id: user._id, email: courier.email, ...name };
  await call('PATCH', routes.patchUser.path, body, accessToken);
}

/** Signed in, on the list of offers, with the worker installed. */
async function openOffers(browser: Browser, url: string): Promise<BrowserContext> {
  const context = await browser.newContext(column);
  const page = await context.newPage();
  await page.goto(`${url}/auth`);
  await page.getByText('Your ride to faster deliveries').click();
  await page.getByLabel('Email').fill(courier.email);
  await page.getByLabel('Password', { exact: true }).fill(courier.password);
  await page.getByLabel('Trust This Device').check();
  await page.getByRole('button', { name: 'Sign In', exact: true }).click();
  await page.getByText('Login successful!').waitFor();
  await page.goto(`${url}/delivery/pending`);
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => true));
  await page.locator('article').first().waitFor();
  return context;
}

interface People {
  couriers: readonly SeededPerson[];
  senders: readonly SeededPerson[];
  offers: readonly string[];
}

async function measure(place: Place, people: People, folder: string): Promise<void> {
  const product = await startProduct(place, secret, path.join(folder, 'product.log'), settings);
  const browser = await startBrowser();
  const sign = tokensFor(secret);
  const signed = (some: readonly SeededPerson[]) =>
    Promise.all(some.map(async (one) => ({ ...one, token: await sign(one) })));
  const port = Number(new URL(product.url).port);
  const [rows, plain] = [await startMeter(port, false), await startMeter(port, true)];
  try {
    await signUp(product.url);
    const write = createWriters({
      senders: await signed(people.senders),
      couriers: await signed(freeOf(people.couriers, size.packages)),
      offers: people.offers.toReversed(),
    });
    for (const { url } of [rows, plain]) await openOffers(browser, url);
    say('  in step with the server…');
    const pace = { url: product.url, perSecond: changesPerSecond };
    await write({ ...pace, ms: settleMs });
    const before = [rows, plain].map(({ bytes, listCalls }) => ({ bytes, listCalls }));
    await write({ ...pace, ms: windowMs });
    const [ours = before[0], theirs = before[1]] = [rows, plain].map(
      ({ bytes, listCalls }, index) => ({
        bytes: bytes - (before[index]?.bytes ?? 0),
        listCalls: listCalls - (before[index]?.listCalls ?? 0),
      }),
    );
    if (!ours || !theirs) throw new Error('Nothing was measured.');
    const anHour = (count: number) => (count * 3_600_000) / windowMs;
    const megabytes = (bytes: number) => anHour(bytes) / 1e6;
    const what = 'a courier in an hour of 10,000 packages a day';
    const peerName = 'the same app without rows';
    tell({
      figures: [
        {
          what: `${what}: data both ways`,
          unit: 'MB',
          mostRatio: 0.2,
          peerName,
          kaya: megabytes(ours.bytes),
          peer: megabytes(theirs.bytes),
        },
        {
          what: 'of that, list calls',
          unit: 'calls',
          peerName,
          kaya: anHour(ours.listCalls),
          peer: anHour(theirs.listCalls),
        },
        {
          what: "of that, list calls beyond the timer's",
          unit: 'calls',
          most: 0,
          kaya: Math.max(0, anHour(ours.listCalls - timedCalls)),
        },
      ],
    });
  } finally {
    await browser.close();
    await rows.close();
    await plain.close();
    await product.stop();
  }
}

say('An hour of a courier…');
const folder = mkdtempSync(path.join(tmpdir(), 'kaya-bench-'));
const postgres = await startPostgres({ isDurable: true });
try {
  if (postgres) {
    const { drop, product, ...people } = await fillPostgres(postgres, size);
    await measure(product, people, folder);
    await drop();
  } else {
    const { product, ...people } = await fillPglite(folder, size);
    await measure(product, people, folder);
  }
} finally {
  postgres?.stop();
  rmSync(folder, { recursive: true, force: true });
}
