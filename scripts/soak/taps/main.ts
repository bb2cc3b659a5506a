/** Entry point of the random taps: starts a server and browser, with one offline phone per role. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Browser, chromium } from '@playwright/test';
import { createChance } from '#scripts/soak/browser/chance.ts';
import { findBrowser } from '#tests/browser.mjs';
import { admin, type Backstage, createBackstage } from '#tests/e2e/backstage.ts';
import { enter } from '#tests/e2e/inside.ts';
import { userIdOf } from '#tests/e2e/outbox-stage.ts';
import { AuthPage } from '#tests/e2e/pages/auth-page.ts';
import { ShellPage } from '#tests/e2e/pages/shell-page.ts';
import { openPhoneContext } from '#tests/e2e/phone-context.ts';
import { type FaultProxy, startFaultProxy } from '#tests/fakes/fault-proxy.ts';
import { startServer } from '#tests/fakes/server-process.ts';
import { addressesFor, type Phone, tapUntil } from './tap.ts';

const say = (line: string) => process.stdout.write(`${line}\n`);

interface Needs {
  browser: Browser;
  backstage: Backstage;
  network: FaultProxy;
}

/**
 * The phones have the whole app cached; the admin, just signed in, lacks the dispatcher's chunk.
 */
async function takePhones({ browser, backstage, network }: Needs): Promise<Phone[]> {
  const { sender, courier, packages } = await backstage.offers(2);
  const [carried, offered] = packages;
  await backstage.accept(courier, carried);
  const packageIds = [carried._id, offered._id];
  const openPage = async () => (await openPhoneContext(browser, network.url)).newPage();

  const visitor = await openPage();
  await AuthPage.open(visitor);
  await new ShellPage(visitor).untilInstalled();
  const phones = [
    { name: 'visitor', page: visitor, addresses: addressesFor('unknown', packageIds) },
  ];
  for (const [name, account] of [
    ['Customer', sender],
    ['Employee', courier],
    ['Admin', admin],
  ] as const) {
    const page = await openPage();
    await (await enter(page, account)).untilInstalled();
    phones.push({ name, page, addresses: addressesFor(await userIdOf(page), packageIds) });
    if (name === 'Admin') {
      await page.waitForFunction(() => caches.has('kaya-parts'));
      await page.evaluate(() => caches.delete('kaya-parts'));
      const devtools = await page.context().newCDPSession(page);
      await devtools.send('Network.clearBrowserCache');
    }
  }
  return phones;
}

/** False: a page reloaded more than once, was empty or threw. */
export async function main({ forMs, seed }: { forMs: number; seed: number }): Promise<boolean> {
  const executablePath = process.env.CHROMIUM_PATH ?? findBrowser();
  if (!executablePath) throw new Error('No Chromium found; run `npm test`, which installs one.');
  const dataDir = await mkdtemp(path.join(tmpdir(), 'kaya-taps-'));
  const server = await startServer({
    isLongLived: true,
    env: {
      DATA_DIR: dataDir,
      TILE_URL: 'off',
      ADMIN_EMAIL: admin.email,
      ADMIN_PASSWORD: admin.password,
    },
  });
  const network = await startFaultProxy(server.url);
  const browser = await chromium.launch({
    executablePath,
    args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
  });
  try {
    const phones = await takePhones({ browser, backstage: createBackstage(server.url), network });
    network.setFaults(() => ({ kind: 'dropped before' }));
    await Promise.all(phones.map(({ page }) => page.context().setOffline(true)));
    say(`Seed ${seed}, ${Math.round(forMs / 1_000)} s of random taps offline.`);
    const untilMs = Date.now() + forMs;
    const results = await Promise.all(
      phones.map((phone, number) => tapUntil(phone, createChance(seed + number), untilMs)),
    );
    for (const { summary, complaints } of results) {
      say(summary);
      for (const complaint of complaints) say(`✗ ${complaint}`);
    }
    return results.every(({ complaints }) => complaints.length === 0);
  } finally {
    await browser.close();
    await network.close();
    await server.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}
