/**
 * The stage of a day in the field: a server with a movable clock, whose ledger is audited at the
 * end; a release of the app to publish; and users, each with their own phone and network.
 *
 *   phone ──▶ its own fault proxy ──┐
 *   phone ──▶ its own fault proxy ──┼──▶ release proxy ──▶ server
 *   phone ──▶ its own fault proxy ──┘
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test as base } from '@playwright/test';
import { type FaultProxy, startFaultProxy } from '#tests/fakes/fault-proxy.ts';
import { type ReleaseProxy, startReleaseProxy } from '#tests/fakes/release-proxy.ts';
import { moveClockOn, withMovableClock } from '#tests/fakes/server-clock.ts';
import { runCommand, startServer } from '#tests/fakes/server-process.ts';
import { type Account, admin, type Backstage, createBackstage } from './backstage.ts';
import type { SignedIn } from './kaya.ts';
import { AuthPage } from './pages/auth-page.ts';
import { listenToPhone, type PhoneAnnouncements } from './phone-announcements.ts';
import { listenToConsole, type PhoneConsole } from './phone-console.ts';
import { openPhoneContext } from './phone-context.ts';

export { expect } from '@playwright/test';

/** A signed-in user with a phone. */
export interface Person extends SignedIn {
  name: string;
  account: Account;
  role: Account['role'];
  network: FaultProxy;
  console: PhoneConsole;
  announcements: PhoneAnnouncements;
  /** Responses of 401 to this phone. */
  denials(): number;
}

export interface Day {
  backstage: Backstage;
  release: ReleaseProxy;
  people: readonly Person[];
  /** Signs up, then signs in on a phone that can open offline. */
  join(name: string, role: Person['role']): Promise<Person>;
  /** Advances the server's clock. */
  moveClockOn(ms: number): Promise<void>;
  /** Closes the phones, stops the server and audits its ledger; returns the audit's output. */
  closeAndAudit(): Promise<{ code: number | null; says: string }>;
}

export const test = base.extend<{ day: Day }>({
  day: [
    async ({ browser }, use) => {
      const dataDir = await mkdtemp(path.join(tmpdir(), 'kaya-day-'));
      const server = await startServer(
        withMovableClock({
          DATA_DIR: dataDir,
          RATE_LIMIT: 'off',
          TILE_URL: 'off',
          // The day ends with all the money counted.
          RELEASE_AFTER_HOURS: '0',
          ADMIN_EMAIL: admin.email,
          ADMIN_PASSWORD: admin.password,
        }),
      );
      const release = await startReleaseProxy(server.url);
      const backstage = createBackstage(server.url);
      const people: Person[] = [];

      async function join(name: string, role: Person['role']): Promise<Person> {
        const account = await backstage.account(role, name);
        const network = await startFaultProxy(release.url);
        const context = await openPhoneContext(browser, network.url);
        const console = listenToConsole(context);
        const announcements = await listenToPhone(context);
        let denied = 0;
        context.on('response', (answer) => {
          if (answer.status() === 401) denied += 1;
        });
        const page = await context.newPage();
        const shell = await (await AuthPage.open(page)).signInAs(account);
        await shell.untilInstalled();
        const phone = { page, context, shell, network, console, announcements };
        const person = { name, role, account, ...phone, denials: () => denied };
        people.push(person);
        return person;
      }

      /** Idempotent. */
      async function close() {
        for (const { context, network } of people.splice(0)) {
          await context.close();
          await network.close();
        }
        await release.close();
        await server.stop();
      }

      await use({
        backstage,
        release,
        people,
        join,
        moveClockOn: (ms) => moveClockOn(server, ms),
        async closeAndAudit() {
          await close();
          const { code, stdout } = await runCommand('audit', { DATA_DIR: dataDir });
          return { code, says: stdout.trim() };
        },
      });
      await close();
      await rm(dataDir, { recursive: true, force: true });
    },
    { timeout: 120_000 },
  ],
});
