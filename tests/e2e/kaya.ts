/**
 * The stage of every browser test: the real server on its own database behind a fault proxy, and
 * users, each with a phone (a browser context).
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type BrowserContext, test as base, expect, type Page } from '@playwright/test';
import { fillDataFolder } from '#tests/fakes/data-folder.ts';
import { type FaultProxy, startFaultProxy } from '#tests/fakes/fault-proxy.ts';
import { startServer } from '#tests/fakes/server-process.ts';
import { createDatabase } from '#tests/postgres.mjs';
import { isLong } from '#tests/size.ts';
import {
  type Account,
  admin,
  type Backstage,
  type Credentials,
  createBackstage,
} from './backstage.ts';
import { enter } from './inside.ts';
import type { ShellPage } from './pages/shell-page.ts';
import { openPhoneContext } from './phone-context.ts';

export type { Account };

export interface Phone {
  page: Page;
  context: BrowserContext;
}

export interface SignedIn extends Phone {
  shell: ShellPage;
}

export interface Options {
  /** False: a browser without service workers (such as a private window). */
  hasServiceWorker: boolean;
}

interface WorkerFixtures {
  /** Further settings of the server; by default there is no map. */
  serverEnv: Record<string, string>;
  server: { url: string };
}

interface TestFixtures {
  network: FaultProxy;
  /** Where phones find the app. */
  origin: string;
  backstage: Backstage;
  sender: Account;
  courier: Account;
  /** A new phone behind the proxy; fails the test on an uncaught page error. */
  phone: () => Promise<Phone>;
  /** The phone of `page` and `context`. */
  firstPhone: Phone;
  /** A new phone with this user signed in, at `path`. */
  signedIn: (who: Credentials, path?: string) => Promise<SignedIn>;
  /** The same, once the app can open there offline. */
  installed: (who: Credentials, path?: string) => Promise<SignedIn>;
}

/** The usual run is on PostgreSQL, a fraction of the time; the long one on the server's own database. */
const postgres = isLong ? undefined : process.env.TEST_DATABASE_URL;

export const test = base.extend<TestFixtures & Options, WorkerFixtures>({
  hasServiceWorker: [true, { option: true }],

  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures off this pattern.
  serverEnv: [async ({}, use) => use({ TILE_URL: 'off', TRUST_PROXY: 'on' }), { scope: 'worker' }],

  server: [
    async ({ serverEnv }, use) => {
      const dataDir = await mkdtemp(path.join(tmpdir(), 'kaya-e2e-'));
      const database = postgres ? await createDatabase(postgres) : null;
      if (!database) await fillDataFolder(dataDir);
      const server = await startServer({
        isLongLived: true,
        env: {
          ...(database ? { DATABASE_URL: database.url } : {}),
          DATA_DIR: dataDir,
          RATE_LIMIT: 'off',
          ...serverEnv,
          ADMIN_EMAIL: admin.email,
          ADMIN_PASSWORD: admin.password,
        },
      });
      await use(server);
      await server.stop();
      await database?.drop();
      await rm(dataDir, { recursive: true, force: true });
    },
    { scope: 'worker', timeout: 180_000 },
  ],

  network: async ({ server }, use) => {
    const proxy = await startFaultProxy(server.url);
    await use(proxy);
    await proxy.close();
  },

  origin: async ({ network }, use) => use(network.url),

  backstage: async ({ server }, use) => {
    await use(createBackstage(server.url));
  },

  sender: async ({ backstage }, use) => use(await backstage.sender()),

  courier: async ({ backstage }, use) => use(await backstage.courier()),

  phone: async ({ browser, origin, hasServiceWorker }, use) => {
    const contexts: BrowserContext[] = [];
    const faults: string[] = [];
    await use(async () => {
      const context = await openPhoneContext(browser, origin);
      contexts.push(context);
      if (!hasServiceWorker) {
        await context.addInitScript(() => {
          Reflect.deleteProperty(Navigator.prototype, 'serviceWorker');
        });
      }
      const page = await context.newPage();
      page.on('pageerror', (error) => faults.push(`${error.message}\n${error.stack ?? ''}`));
      return { page, context };
    });
    await Promise.all(contexts.map((context) => context.close()));
    expect(faults, 'uncaught errors in the page').toEqual([]);
  },

  firstPhone: async ({ phone }, use) => use(await phone()),

  page: async ({ firstPhone }, use) => use(firstPhone.page),

  context: async ({ firstPhone }, use) => use(firstPhone.context),

  signedIn: ({ phone }, use) =>
    use(async (who, path) => {
      const opened = await phone();
      return { ...opened, shell: await enter(opened.page, who, path) };
    }),

  installed: ({ signedIn }, use) =>
    use(async (who, path) => {
      const opened = await signedIn(who, path);
      await opened.shell.untilInstalled();
      return opened;
    }),
});

export { expect };

/** In a table of tests: `npm test` runs the usual rows, `npm run test:long` the others. */
export const longUnless = (isUsual: boolean) => ({ tag: isUsual ? [] : ['@long'] });
