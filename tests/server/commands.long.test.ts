/** Output and exit codes of `npm run audit`, `reconcile`, `backup` and `restore`. */
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { WirePackage } from '#contract/package.ts';
import { fakeSecretKey } from '#tests/fakes/fake-provider.ts';
import { type Command, type Exit, runCommand, startServer } from '#tests/fakes/server-process.ts';
import { makeDatabase, testDatabase } from './databases.ts';
import { adminAccount, Stand } from './money-stand.ts';
import { type Account, call, type Storage, storages } from './process-stage.ts';
import { goodPassword } from './stage.ts';

// Each command opens the database again, which takes the embedded one a while.
vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 });

const freshStorage = storages();
const folder = mkdtempSync(path.join(tmpdir(), 'kaya-commands-'));
const backup = path.join(folder, 'kaya.backup');
const stand = new Stand();
const providerOf = () => ({
  PAYSTACK_SECRET_KEY: fakeSecretKey,
  PAYSTACK_URL: stand.paystack.url,
});
let storage: Storage;

/** Two packages on the way and one paid for, and a paid top-up not yet verified. */
beforeAll(async () => {
  storage = await freshStorage();
  await stand.open();
  const server = await startServer({
    env: { ...storage.env, ...adminAccount, ...providerOf(), RELEASE_AFTER_HOURS: '0' },
  });
  stand.url = server.url;
  await stand.invite();
  await stand.package();
  await stand.package([stand.courier, { deliveryPersonId: stand.courier.id }]);
  await stand.package(
    [stand.courier, { deliveryPersonId: stand.courier.id }],
    [stand.courier, { deliveryStatus: 'Delivered' }],
  );
  await stand.paidTopUp();
  expect((await server.stop()).code).toBe(0);
});
afterAll(async () => {
  await stand.paystack.close();
  rmSync(folder, { recursive: true, force: true });
});

async function change(statement: ReturnType<typeof sql>): Promise<void> {
  const database = await storage.open();
  await database.db.execute(statement).finally(() => database.close());
}

/** Exited with 1, nothing on stdout and one sentence on stderr. */
function expectRefusal({ code, stdout, stderr }: Exit, sentence: RegExp): void {
  expect(stderr).toMatch(sentence);
  expect(stderr).toMatch(/^[^\n]+\n$/);
  expect([code, stdout]).toEqual([1, '']);
}

const commands: [Command, string[]][] = [
  ['audit', []],
  ['reconcile', []],
  ['backup', [path.join(folder, 'another.backup')]],
  ['restore', [backup]],
];

async function packagesOf(url: string, { email }: Account): Promise<WirePackage[]> {
  const body = { email, password: goodPassword };
  const session = await call<{ accessToken: string }>(url, 'POST', '/api/auth/login', { body });
  expect(session.status).toBe(200);
  const { accessToken: token } = session.body;
  return (await call<WirePackage[]>(url, 'GET', '/api/packages', { token })).body;
}

describe('audit', () => {
  it('reports a sound ledger and exits with 0', async () => {
    const { code, stdout, stderr } = await runCommand('audit', storage.env);
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toBe('The ledger is whole: 5 transfers, 2 wallets, ₦1,000,000.\n');
  });

  it('reads the pictures too if asked, and knows no other argument', async () => {
    const { code, stdout } = await runCommand('audit', storage.env, '--pictures');
    expect(code).toBe(0);
    expect(stdout).toMatch(/^The ledger is whole: .+\nThe pictures are whole: 0 checked\.\n$/);
    expectRefusal(await runCommand('audit', storage.env, '--picture'), /^Without an argument, or/);
  });

  it('is told where pictures go, and by which store', async () => {
    const run = (...words: string[]) => runCommand('pictures', storage.env, ...words);
    expectRefusal(await run('moon'), /^Say where to: npm run pictures/);
    expectRefusal(await run('store'), /^Set S3_URL to the object store/);
  });

  it('reports what is broken and exits with 1', async () => {
    const { id } = stand.courier;
    const give = (kobo: number) =>
      change(
        sql`update wallets set available_kobo = available_kobo + ${kobo} where user_id = ${id}`,
      );
    await give(50);
    const { code, stdout } = await runCommand('audit', storage.env);
    await give(-50);
    expect(code).toBe(1);
    expect(stdout).toMatch(/^The ledger is broken \(5 transfers, 2 wallets, ₦1,000,000\.50\):\n/);
    expect(stdout).toContain(`The wallet of ${id} says 150050 available and 0 held`);
  });
});

describe('backup and restore', () => {
  it('move all data to an empty database from which a server continues', async () => {
    const saved = await runCommand('backup', storage.env, backup);
    expect([saved.code, saved.stderr]).toEqual([0, '']);
    expect(saved.stdout).toMatch(
      /^Saved 3 users, 3 packages and 5 transfers in \S+kaya\.backup\. /,
    );
    const source = await startServer({ env: storage.env });
    const before = await packagesOf(source.url, stand.sender);
    await source.stop();
    expect(before).toHaveLength(3);

    // To the same kind of database, and to the other kind in a folder that does not exist.
    const elsewhere = { DATA_DIR: path.join(folder, 'no', 'such', 'folder') };
    for (const env of [(await freshStorage()).env, elsewhere]) {
      const restored = await runCommand('restore', env, backup);
      expect([restored.code, restored.stderr]).toEqual([0, '']);
      expect(restored.stdout).toMatch(/^Restored 3 users, 3 packages and 5 transfers from /);
      const target = await startServer({ env });
      expect(await packagesOf(target.url, stand.sender)).toEqual(before);
      expect((await target.stop()).code).toBe(0);
      expect((await runCommand('audit', env)).stdout).toContain('The ledger is whole: 5 transfers');
    }
  });

  it('refuse an existing file or a database with users, and change neither', async () => {
    const bytes = readFileSync(backup);
    expectRefusal(await runCommand('backup', storage.env, backup), /is there already\./);
    expect(readFileSync(backup).equals(bytes)).toBe(true);
    expectRefusal(await runCommand('restore', storage.env, backup), /^This database has users/);
    expect((await runCommand('audit', storage.env)).stdout).toContain('5 transfers, 2 wallets');
  });

  it('refuse a missing or damaged file and create no folder for its data', async () => {
    const DATA_DIR = path.join(folder, 'unmade');
    const missing = path.join(folder, 'nowhere.backup');
    expectRefusal(await runCommand('restore', { DATA_DIR }, missing), /is not there\./);
    expect(existsSync(DATA_DIR)).toBe(false);
    const { env } = await freshStorage();
    expectRefusal(await runCommand('restore', env, folder), /is no backup of this program/);
    expect((await runCommand('restore', env, backup)).code).toBe(0);
  });

  it.each(['backup', 'restore'] as const)('%s requires one file', async (command) => {
    const sentence = new RegExp(`^Name one file: npm run ${command} -- kaya\\.backup`);
    expectRefusal(await runCommand(command, storage.env), sentence);
    expectRefusal(await runCommand(command, storage.env, 'two', 'files'), sentence);
  });

  it('resolve the file against the folder npm was called in', async () => {
    const env = { ...storage.env, INIT_CWD: folder };
    expect((await runCommand('backup', env, 'here.backup')).code).toBe(0);
    expect(existsSync(path.join(folder, 'here.backup'))).toBe(true);
  });
});

const noPayouts = 'Asked about 0 payouts: 0 paid, 0 returned.\n';

it('reconcile exits with 1 while the provider is down or answers nonsense, then credits each payment once', async () => {
  // Made older: recent top-ups are left to their payer.
  await change(sql`update top_ups set created_at = created_at - interval '1 hour'`);
  const away = { ...storage.env, ...providerOf(), PAYSTACK_URL: 'http://127.0.0.1:9' };
  expectRefusal(await runCommand('reconcile', away), /^The payment provider is not responding\./);
  await change(sql`update top_ups set checked_at = null`);
  const env = { ...storage.env, ...providerOf() };
  const { reply } = stand.paystack;
  stand.paystack.reply = () => ({ status: 400, text: '<h1>Bad request</h1>' });
  const badly = await runCommand('reconcile', env);
  expect([badly.code, badly.stdout]).toEqual([
    ...[1, `Asked about 1 top-ups: 0 credited, 0 abandoned.\n${noPayouts}`],
  ]);
  expect(badly.stderr).toMatch(
    /^The payment provider said nothing usable of 1 of them\. [^\n]+\n$/,
  );
  stand.paystack.reply = reply;
  await change(sql`update top_ups set checked_at = null`);
  const said: string[] = [];
  for (let turn = 0; turn < 2; turn += 1) {
    const { code, stdout, stderr } = await runCommand('reconcile', env);
    expect([code, stderr]).toEqual([0, '']);
    said.push(stdout);
  }
  expect(said).toEqual([
    `Asked about 1 top-ups: 1 credited, 0 abandoned.\n${noPayouts}`,
    `Asked about 0 top-ups: 0 credited, 0 abandoned.\n${noPayouts}`,
  ]);
  expect((await runCommand('audit', storage.env)).stdout).toContain('whole: 6 transfers');
});

describe('an unusable database', () => {
  it.each(
    commands,
  )('%s reports it without the password and exits with 1', async (command, args) => {
    const env = { DATABASE_URL: 'postgres://kaya:top-secret@127.0.0.1:9/kaya' };
    const exit = await runCommand(command, env, ...args);
    expectRefusal(
      exit,
      /^DATABASE_URL cannot be used: no PostgreSQL answers there \(ECONNREFUSED\)/,
    );
    expect(exit.stderr).not.toContain('top-secret');
  });

  it.each(
    commands.filter(([command]) => command !== 'restore'),
  )('%s creates no database for a mistyped DATA_DIR', async (command, args) => {
    const DATA_DIR = path.join(folder, 'mistyped');
    expectRefusal(await runCommand(command, { DATA_DIR }, ...args), /^DATA_DIR \(.+\) holds no/);
    expect(existsSync(DATA_DIR)).toBe(false);
  });
});

describe.skipIf(testDatabase === 'pglite')('a mistyped DATABASE_URL', () => {
  it.each(['audit', 'backup', 'reconcile'] as const)('is not created by %s', async (command) => {
    const { url, drop } = await makeDatabase('empty');
    const env = { DATABASE_URL: url };
    const args = command === 'backup' ? [path.join(folder, 'empty.backup')] : [];
    // Twice: the first run must not create what the second one finds.
    for (let turn = 0; turn < 2; turn += 1) {
      const exit = await runCommand(command, env, ...args);
      expectRefusal(exit, /^DATABASE_URL names a database that no server has used yet\./);
    }
    await drop();
  });
});

it('beside a running server PostgreSQL is shared; the embedded database is locked', async () => {
  const server = await startServer({ env: storage.env });
  for (const [command, args] of commands) {
    const exit = await runCommand(command, storage.env, ...args);
    if (testDatabase === 'pglite') expectRefusal(exit, /^DATA_DIR is in use: [^\n]+\n$/);
    else if (command === 'restore') expectRefusal(exit, /^This database has users/);
    else expect([exit.code, exit.stderr]).toEqual([0, '']);
  }
  expect(await packagesOf(server.url, stand.sender)).toHaveLength(3);
  expect((await server.stop()).code).toBe(0);
});
