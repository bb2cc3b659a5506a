/** The temporary server, and one phone per role. */
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Browser, type BrowserContext, chromium, type Page } from '@playwright/test';
import { demoPassword } from '#server/commands/demo/person.ts';
import { findBrowser } from '#tests/browser.mjs';
import { noteAnswers, untilWhole } from '#tests/e2e/answers.ts';
import { type ServerProcess, startServer } from '#tests/fakes/server-process.ts';
import type { Helpers, Role, Scene } from './scene.ts';

export const shotAt = new Date('2026-11-20T09:41:00+01:00');

/** Generous for a busy machine. */
const patienceMs = 15_000;

const password = demoPassword;

/** In Kano's old town. */
const courierAt = { latitude: 11.9964, longitude: 8.5167 };

const accounts: Record<Exclude<Role, 'visitor'>, { email: string; signUpAs?: string }> = {
  sender: { email: 'amina.bello@kaya.test' },
  courier: { email: 'sani.abubakar@kaya.test' },
  lapsed: { email: 'fatima.usman@kaya.test' },
  sunlit: { email: 'sani.abubakar@kaya.test' },
  longest: { email: 'oluwafunmilayo.adebayo@kaya.test', signUpAs: 'Customer' },
  stranded: { email: 'hauwa.danjuma@kaya.test' },
  dispatcher: { email: 'ladi.kwari@kaya.test' },
  newcomer: { email: 'jummai.audu@kaya.test', signUpAs: 'Customer' },
  recruit: { email: 'gambo.idris@kaya.test', signUpAs: 'Employee' },
};

export interface Phone {
  page: Page;
  helpers: Helpers;
  /**
   * Replaces the mocks of the scene before. Its own come first: in between, the phone would send what
   * its scenes keep waiting.
   */
  begin(scene: Scene): Promise<void>;
}

export interface Stage {
  phoneOf(role: Role): Promise<Phone>;
  close(): Promise<void>;
}

async function post(url: string, body: object): Promise<{ accessToken: string }> {
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`${url}: ${answer.status} ${await answer.text()}`);
  return answer.json();
}

/** A running demo may have these accounts already. */
async function signUp(serverUrl: string, account: object) {
  await post(`${serverUrl}/api/auth/signup`, account).catch((error: Error) => {
    if (!error.message.includes('email_taken')) throw error;
  });
}

async function ensureAccount(serverUrl: string, role: Role) {
  if (role === 'visitor') return;
  const { email, signUpAs } = accounts[role];
  if (signUpAs) await signUp(serverUrl, { email, password, role: signUpAs });
}

function callAs(serverUrl: string, role: Role): Helpers['call'] {
  return async (method, place, body) => {
    if (role === 'visitor') throw new Error('A visitor has no account to call with.');
    const { email } = accounts[role];
    const { accessToken } = await post(`${serverUrl}/api/auth/login`, { email, password });
    const answer = await fetch(`${serverUrl}${place}`, {
      method,
      headers: {
        authorization: `Bearer ${accessToken}`,
        ...(body ? { 'content-type': 'application/json' } : {}),
      },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    return answer.json();
  };
}

type Handle = Parameters<BrowserContext['route']>[1];

function mocksOf(page: Page, serverUrl: string, role: Role): Omit<Phone, 'page'> {
  const context = page.context();
  const routes: [string | RegExp, Handle][] = [];
  const mock = async (end: string | RegExp, handle: Handle) => {
    routes.push([end, handle]);
    await context.route(end, handle);
  };
  const helpers: Helpers = {
    call: callAs(serverUrl, role),
    callsOf: async (other) => {
      await ensureAccount(serverUrl, other);
      return callAs(serverUrl, other);
    },
    loadDesk: async () => {
      await page.setViewportSize({ width: 1280, height: 800 });
      await page.locator('html[data-desk]').waitFor({ state: 'attached' });
      await page.setViewportSize({ width: 412, height: 915 });
    },
    cutOff: () => context.setOffline(true),
    answer: (method, end, status, body) =>
      mock(end, (route) =>
        route.request().method() === method
          ? route.fulfill({ status, json: body })
          : route.fallback(),
      ),
    silence: (method, end) =>
      mock(end, async (route) => {
        if (route.request().method() !== method) await route.fallback();
      }),
  };
  return {
    helpers,
    async begin(scene) {
      const former = routes.splice(0);
      // A delivery begun in a scene before opens again with its package; a position is shared on.
      const forget = () => {
        localStorage.removeItem('deliveryDrafts');
        localStorage.removeItem('positionSharer');
      };
      await page.evaluate(forget).catch(() => undefined);
      await scene.before?.(helpers, page);
      for (const [end, handle] of former) await context.unroute(end, handle);
      await context.setOffline(false);
    },
  };
}

/** Through the form, so that the phone stores what it would in use. */
async function signIn(page: Page, email: string) {
  await page.goto('/auth');
  await page.getByText('Your ride to faster deliveries').click();
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByLabel('Trust This Device').check();
  await page.getByRole('button', { name: 'Sign In', exact: true }).click();
  await page.getByRole('navigation', { name: 'Main' }).waitFor();
  await untilWhole(page);
}

async function openPhone(browser: Browser, serverUrl: string, role: Role): Promise<Phone> {
  const context = await browser.newContext({
    baseURL: serverUrl,
    viewport: { width: 412, height: 915 },
    deviceScaleFactor: 2,
    locale: 'en-NG',
    timezoneId: 'Africa/Lagos',
    reducedMotion: 'reduce',
    serviceWorkers: 'block',
    permissions: ['clipboard-write'],
  });
  // Only couriers are shown distances from where they are.
  if (role === 'courier' || role === 'sunlit') {
    await context.grantPermissions(['clipboard-write', 'geolocation']);
    await context.setGeolocation({ ...courierAt, accuracy: 20 });
  }
  context.setDefaultTimeout(patienceMs);
  context.on('page', noteAnswers);
  const page = await context.newPage();
  await page.clock.setFixedTime(shotAt);
  if (role !== 'visitor') {
    await ensureAccount(serverUrl, role);
    await signIn(page, accounts[role].email);
  }
  return { page, ...mocksOf(page, serverUrl, role) };
}

function startDemo(): Promise<ServerProcess> {
  const preload = pathToFileURL(path.resolve('scripts/screenshots/fixed-start.mjs')).href;
  return startServer({
    entry: 'demo.js',
    isLongLived: true,
    // The demo creates its data first.
    patienceMs: 170_000,
    env: { SHOTS_NOW: String(shotAt.getTime()), NODE_OPTIONS: `--import=${preload}` },
  });
}

/** Starts its own demo unless `runningUrl` is set. */
export async function openStage(runningUrl: string): Promise<Stage> {
  const server = runningUrl ? null : await startDemo();
  const serverUrl = server?.url ?? runningUrl;
  const executablePath = process.env.CHROMIUM_PATH ?? findBrowser() ?? undefined;
  const args = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  const browser = await chromium.launch({ args, ...(executablePath ? { executablePath } : {}) });
  const phones = new Map<Role, Promise<Phone>>();
  return {
    phoneOf(role) {
      const phone = phones.get(role) ?? openPhone(browser, serverUrl, role);
      phones.set(role, phone);
      return phone;
    },
    async close() {
      await browser.close();
      await server?.stop();
    },
  };
}
