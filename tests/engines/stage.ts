/** The stage of the engine tests: a restartable server and a user at a browser. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test as base } from '@playwright/test';
import { ensureBrowser } from '#tests/browser.mjs';
import { type Backstage, createBackstage } from '#tests/e2e/backstage.ts';
import { fillDataFolder } from '#tests/fakes/data-folder.ts';
import { type FaultProxy, startFaultProxy } from '#tests/fakes/fault-proxy.ts';
import { type ReleaseProxy, startReleaseProxy } from '#tests/fakes/release-proxy.ts';
import { startServer } from '#tests/fakes/server-process.ts';
import { ensureFirefox, ensureWebKit } from './browsers.mjs';
import { openChromium } from './chromium.ts';
import type { Driver } from './driver.ts';
import { openFirefox } from './firefox.ts';
import { Person } from './person.ts';
import { openWebKit } from './webkit.ts';

const engines = {
  chromium: () => openChromium(ensureBrowser()),
  firefox: () => openFirefox(ensureFirefox()),
  webkit: () => openWebKit(ensureWebKit()),
} satisfies Record<string, () => Promise<Driver>>;

export interface EngineOptions {
  engine: keyof typeof engines;
}

export interface Server {
  url: string;
  stop(): Promise<void>;
  /** Restarts at the same address on the same data. */
  start(): Promise<void>;
}

interface Fixtures {
  server: Server;
  backstage: Backstage;
  /** Between the user and the server. */
  network: FaultProxy;
  /** Between the user and the network: serves new versions of the app. */
  site: ReleaseProxy;
  person: Person;
}

export const test = base.extend<Fixtures & EngineOptions>({
  engine: ['chromium', { option: true }],

  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures off this pattern.
  server: async ({}, use) => {
    const dataDir = await mkdtemp(path.join(tmpdir(), 'kaya-engines-'));
    await fillDataFolder(dataDir);
    const launch = (env: Record<string, string>) =>
      startServer({ isLongLived: true, env: { DATA_DIR: dataDir, TILE_URL: 'off', ...env } });
    let running = await launch({});
    const { url } = running;
    await use({
      url,
      stop: async () => {
        await running.stop();
      },
      start: async () => {
        running = await launch({ PORT: new URL(url).port });
      },
    });
    await running.stop();
    await rm(dataDir, { recursive: true, force: true });
  },

  backstage: async ({ server }, use) => {
    await use(createBackstage(server.url));
  },

  network: async ({ server }, use) => {
    const proxy = await startFaultProxy(server.url);
    await use(proxy);
    await proxy.close();
  },

  site: async ({ network }, use) => {
    const proxy = await startReleaseProxy(network.url);
    await use(proxy);
    await proxy.close();
  },

  person: async ({ engine, site }, use) => {
    const driver = await engines[engine]();
    await use(new Person(driver, site.url));
    await driver.close();
  },
});
