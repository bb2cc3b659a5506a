/** `npm run demo`: the real process, its data, and sign-in with every role. */
import { randomUUID } from 'node:crypto';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { WirePackage } from '#contract/package.ts';
import type { Payments, TransferKind } from '#contract/payment.ts';
import type { Payouts } from '#contract/payout.ts';
import { pathOf, routes } from '#contract/routes.ts';
import { type Package, packageFromWire } from '#domain/package.ts';
import { dueAt, isLate } from '#domain/stops.ts';
import { buildApp } from '#server/app.ts';
import { type DemoAccount, demoPassword } from '#server/commands/demo/person.ts';
import { seedDemo } from '#server/commands/demo/seed.ts';
import { readConfig } from '#server/config/config.ts';
import { webFolder } from '#server/config/project-root.ts';
import { ensureFirstAdmin } from '#server/modules/auth/first-admin.ts';
import { audit, ledgerSize } from '#server/modules/ledger/audit.ts';
import { type ServerProcess, startAndFail, startServer } from '#tests/fakes/server-process.ts';
import { openTestDatabase } from './databases.ts';
import { call } from './process-stage.ts';

interface Known {
  role: string;
  email: string;
}

let demo: ServerProcess;
let accounts: Known[];
let output: string;
/** Folders to which the demo could write. */
let temporary: string;

beforeAll(async () => {
  temporary = await mkdtemp(path.join(tmpdir(), 'kaya-demo-test-'));
  demo = await startServer({
    entry: 'demo.js',
    // It makes some weeks of deliveries first: beside the other long tests a minute is too short.
    patienceMs: 170_000,
    // A shell may have these set for production: the demo must not touch them.
    env: {
      TMPDIR: temporary,
      DATA_DIR: path.join(temporary, 'data'),
      DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none',
      PAYSTACK_SECRET_KEY: 'sk_live_of_somebody',
      SMS_PROVIDER: 'termii',
      S3_URL: 'https://key:secret@127.0.0.1:1/pictures',
    },
  });
  output = demo.stdout();
  accounts = [...output.matchAll(/^ {2}(\w+) +(\S+@\S+)/gm)].map(([, role = '', email = '']) => ({
    role,
    email,
  }));
}, 180_000);

afterAll(async () => {
  await demo.stop();
  await rm(temporary, { recursive: true, force: true });
});

const withRole = (role: string) => accounts.filter((account) => account.role === role);

async function seenBy<T>({ email }: Known, ...paths: string[]): Promise<T[]> {
  const password = /every password is (\S+)/.exec(output)?.[1];
  const body = { email, password };
  const login = await call<{ accessToken: string }>(demo.url, 'POST', '/api/auth/login', { body });
  expect(login.status).toBe(200);
  const { accessToken: token } = login.body;
  const answers = paths.map(async (asked) => {
    const answer = await call<T>(demo.url, 'GET', asked, { token });
    expect(answer.status, asked).toBe(200);
    return answer.body;
  });
  return Promise.all(answers);
}

async function packagesSeenBy(known: Known): Promise<WirePackage[]> {
  const [packages = []] = await seenBy<WirePackage[]>(known, '/api/packages');
  return packages;
}

async function walletsOf(role: string): Promise<Payments[]> {
  const path = '/api/payments?limit=100';
  const wallets = await Promise.all(withRole(role).map((known) => seenBy<Payments>(known, path)));
  return wallets.flat();
}

const someone = (role: string): Known => {
  const [first] = withRole(role);
  if (!first) throw new Error(`The demo told of no ${role}.`);
  return first;
};

describe('the demo', () => {
  it('has a dispatcher, at least 3 couriers and 20 senders', () => {
    expect(withRole('dispatcher').length).toBeGreaterThanOrEqual(1);
    expect(withRole('courier').length).toBeGreaterThanOrEqual(3);
    expect(withRole('sender').length).toBeGreaterThanOrEqual(20);
  });

  it('shows the dispatcher at least 200 packages in every state and payment, all of the past', async () => {
    const packages = await packagesSeenBy(someone('dispatcher'));
    expect(packages.length).toBeGreaterThanOrEqual(200);
    const ways = packages.flatMap((pkg) => [
      ...[pkg.deliveryStatus, `${pkg.paymentMethod} ${pkg.paymentStatus}`],
    ]);
    for (const way of [
      ...['Pending', 'In Transit', 'Delivered', 'Cancelled'],
      ...['app paid', 'app unpaid', 'cash paid', 'cash unpaid'],
    ]) {
      expect(ways.filter((one) => one === way).length, way).toBeGreaterThanOrEqual(5);
    }
    const now = new Date().toISOString();
    for (const { createdAt, updatedAt } of packages) {
      expect(createdAt <= updatedAt && updatedAt <= now, `${createdAt} ${updatedAt}`).toBe(true);
    }
  });

  it('shows a day under way: little is late, more is due within a day, much was delivered', async () => {
    const packages = (await packagesSeenBy(someone('dispatcher'))).map(packageFromWire);
    const nowMs = Date.now();
    const late = packages.filter((pkg) => isLate(pkg, nowMs));
    const due = packages.filter((pkg) => {
      const aheadMs = Date.parse(dueAt(pkg) ?? '') - nowMs;
      return aheadMs > 0 && aheadMs < 24 * 3_600_000;
    });
    const isDelivered = ({ status }: Package) => status === 'delivered';
    const days = packages.filter(isDelivered).map(({ updatedAt }) => updatedAt.slice(0, 10));
    expect(late.length).toBeLessThanOrEqual(8);
    expect(due.length).toBeGreaterThanOrEqual(10);
    expect(due.length).toBeGreaterThan(2 * late.length);
    expect(new Set(days).size).toBeGreaterThan(7);
  });

  it('shows a courier offers and own packages, a sender their own', async () => {
    const offered = await packagesSeenBy(someone('courier'));
    expect(offered.some(({ deliveryStatus }) => deliveryStatus === 'Pending')).toBe(true);
    expect(offered.some(({ deliveryStatus }) => deliveryStatus === 'In Transit')).toBe(true);
    const own = await packagesSeenBy(someone('sender'));
    expect(new Set(own.map(({ senderId }) => senderId._id)).size).toBe(1);
  });

  it('gives every courier earnings with their history', async () => {
    const wallets = await walletsOf('courier');
    expect(wallets.length).toBeGreaterThanOrEqual(3);
    for (const { available, earned, entries } of wallets) {
      expect(available).toBeGreaterThan(0);
      const released = entries.filter(({ kind }) => kind === 'release');
      expect(released.length).toBeGreaterThanOrEqual(3);
      expect(earned).toBe(released.reduce((sum, { amount }) => sum + amount, 0));
    }
  });

  it('has payouts that arrived, came back and are on their way', async () => {
    const all = await Promise.all(
      withRole('courier').map((known) => seenBy<Payouts>(known, '/api/payouts')),
    );
    for (const { account } of all.flat()) expect(account).not.toBeNull();
    const statuses = all.flat().flatMap(({ payouts }) => payouts.map(({ status }) => status));
    expect([...new Set(statuses)].sort()).toEqual(['paid', 'pending', 'returned']);
  });

  it('lets senders top up, hold, pay and be refunded in chronological order', async () => {
    const wallets = await walletsOf('sender');
    const kinds = new Set<TransferKind>();
    for (const { available, held, entries } of wallets) {
      const [newest] = entries;
      expect([available, held]).toEqual([newest?.balance ?? 0, newest?.heldBalance ?? 0]);
      const times = entries.map(({ createdAt }) => createdAt);
      expect(times).toEqual([...times].sort().reverse());
      for (const { kind } of entries) kinds.add(kind);
    }
    expect([...kinds].sort()).toEqual(['adjustment', 'hold', 'refund', 'release', 'top_up']);
    const isSet = (kobo: number) => kobo > 0;
    expect(wallets.map(({ available }) => available).filter(isSet).length).toBeGreaterThan(10);
    expect(wallets.map(({ held }) => held).filter(isSet).length).toBeGreaterThan(10);
    // Amounts plausible for traders in Kano.
    for (const { available, held } of wallets) expect(available + held).toBeLessThan(100_000);
  });

  it('holds money of yesterday’s deliveries, so that a problem has some in it', async () => {
    const waiting = (await packagesSeenBy(someone('dispatcher'))).filter(
      ({ deliveryStatus, releaseAt, paymentStatus }) =>
        deliveryStatus === 'Delivered' && paymentStatus === 'paid' && releaseAt !== null,
    );
    const inAnHour = new Date(Date.now() + 3_600_000).toISOString();
    const held = waiting.filter(({ releaseAt }) => (releaseAt ?? '') > inAnHour);
    expect(held.length).toBeGreaterThanOrEqual(3);
    const [pkg] = held;
    const sender = withRole('sender').find(({ email }) => email === pkg?.senderId.email);
    if (!pkg || !sender) throw new Error('Nobody told of the sender.');
    const password = /every password is (\S+)/.exec(output)?.[1];
    const login = { body: { email: sender.email, password } };
    const { body } = await call<{ accessToken: string }>(
      demo.url,
      'POST',
      '/api/auth/login',
      login,
    );
    const path = pathOf(routes.openDispute.path, { id: pkg._id });
    const problem = { _id: randomUUID(), kind: 'not_received', text: 'Nobody came.' };
    const how = { token: body.accessToken, body: problem };
    const reported = await call<WirePackage>(demo.url, 'POST', path, how);
    expect(reported.body).toMatchObject({
      dispute: { kind: 'not_received' },
      releaseAt: null,
      paidOut: null,
      paymentStatus: 'paid',
    });
  });

  it('is refused in production, since its passwords are public', async () => {
    const exit = await startAndFail({
      entry: 'demo.js',
      env: {
        NODE_ENV: 'production',
        RATE_LIMIT: 'on',
        PAYMENTS: 'sandbox',
        PUBLIC_URL: 'https://kaya.example',
      },
    });
    expect(exit.code).toBe(1);
    expect(exit.stderr).toMatch(/^The demo has passwords that everybody knows.*\n$/);
  });

  it('writes nothing to disk', async () => {
    expect(await readdir(temporary)).toEqual([]);
  });
});

it("the demo's data passes the audit", async () => {
  const database = await openTestDatabase();
  let now = Date.now();
  const account: DemoAccount = {
    firstName: 'Ladi',
    lastName: 'Kwari',
    role: 'Admin',
    email: 'ladi.kwari@kaya.test',
  };
  const config = readConfig({ LOG_LEVEL: 'silent', RELEASE_AFTER_HOURS: '0' });
  const clock = () => new Date(now);
  const app = await buildApp({ config, database, webFolder, now: clock });
  try {
    const first = { email: account.email, password: demoPassword };
    await ensureFirstAdmin(database, first, new Date(now));
    await app.listen({ port: 0, host: '127.0.0.1' });
    const setNow = (ms: number) => {
      now = ms;
    };
    const money = { db: database.db, now: clock, terms: config.moneyTerms };
    await seedDemo({ app, money, setNow, realNow: Date.now(), admin: account });
    expect(await audit(database.db)).toEqual([]);
    const { transfers, totalKobo } = await ledgerSize(database.db);
    expect(transfers).toBeGreaterThan(150);
    expect(totalKobo).toBeGreaterThan(0);
  } finally {
    await app.close();
    await database.close();
  }
}, 180_000);
