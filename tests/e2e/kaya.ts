/**
 * The stage of every real-browser test: the real server on a database of its own, a fault proxy in
 * front of it, and people, each with a phone (a browser context) of their own.
 */
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type BrowserContext, test as base, expect, type Page } from '@playwright/test';
import { type FaultProxy, startFaultProxy } from '#tests/fakes/fault-proxy.ts';
import { startServer } from '#tests/fakes/server-process.ts';

export interface Account {
  email: string;
  password: string;
  role: 'Customer' | 'Employee';
  firstName: string;
  lastName: string;
}

export interface Phone {
  page: Page;
  context: BrowserContext;
}

interface Backstage {
  /** The server itself, past the proxy: for asking what is true. */
  serverUrl: string;
  /** A signed-up account with a complete profile. */
  account(role: Account['role'], firstName: string): Promise<Account>;
  /** One call as this account, past the proxy. */
  call(account: Account, method: string, path: string, body?: unknown): Promise<unknown>;
}

interface WorkerFixtures {
  server: { url: string };
}

interface TestFixtures {
  network: FaultProxy;
  backstage: Backstage;
  /** A fresh phone that sees the product through the proxy; fails the test on an uncaught page error. */
  phone: () => Promise<Phone>;
}

async function json(answer: Response): Promise<Record<string, unknown>> {
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${answer.status} ${text}`);
  return JSON.parse(text);
}

export const test = base.extend<TestFixtures, WorkerFixtures>({
  server: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures off this pattern.
    async ({}, use) => {
      const dataDir = await mkdtemp(path.join(tmpdir(), 'kaya-e2e-'));
      const server = await startServer({ env: { DATA_DIR: dataDir, RATE_LIMIT: 'off' } });
      await use(server);
      await server.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
    { scope: 'worker', timeout: 60_000 },
  ],

  network: async ({ server }, use) => {
    const proxy = await startFaultProxy(server.url);
    await use(proxy);
    await proxy.close();
  },

  backstage: async ({ server }, use) => {
    const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
      fetch(`${server.url}${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify(body),
      }).then(json);

    async function call(account: Account, method: string, path: string, body?: unknown) {
      const { email, password } = account;
      const { accessToken } = await post('/api/auth/login', { email, password });
      const answer = await fetch(`${server.url}${path}`, {
        method,
        headers: {
          authorization: `Bearer ${accessToken}`,
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      return json(answer);
    }

    await use({
      serverUrl: server.url,
      call,
      async account(role, firstName) {
        const email = `${firstName.toLowerCase()}-${randomUUID().slice(0, 8)}@kaya.test`;
        const account = { email, password: 'a-good-password', role, firstName, lastName: 'Bello' };
        const signedUp = await post('/api/auth/signup', {
          email,
          password: account.password,
          role,
        });
        const { _id: id } = signedUp.user as { _id: string };
        const { lastName } = account;
        const phoneNumber = '0803 123 4567';
        await call(account, 'PATCH', '/api/users', { id, firstName, lastName, email, phoneNumber });
        return account;
      },
    });
  },

  phone: async ({ browser, network }, use) => {
    const contexts: BrowserContext[] = [];
    const faults: string[] = [];
    await use(async () => {
      const context = await browser.newContext({
        baseURL: network.url,
        viewport: { width: 412, height: 915 },
        locale: 'en-NG',
        timezoneId: 'Africa/Lagos',
      });
      contexts.push(context);
      const page = await context.newPage();
      page.on('pageerror', (error) => faults.push(`${error.message}\n${error.stack ?? ''}`));
      return { page, context };
    });
    await Promise.all(contexts.map((context) => context.close()));
    expect(faults, 'uncaught errors in the page').toEqual([]);
  },
});

export { expect };
