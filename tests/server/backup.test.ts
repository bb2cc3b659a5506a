/** A backup restores users, packages, money, sessions and sequences. */
import { randomUUID } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { headers } from '#contract/headers.ts';
import type { WirePackage } from '#contract/package.ts';
import type { Payments } from '#contract/payment.ts';
import type { WireUser } from '#contract/user.ts';
import { saveBackup } from '#server/commands/backup/file.ts';
import { restoreBackup } from '#server/commands/backup/restore.ts';
import { backupTables } from '#server/commands/backup/tables.ts';
import { StartupError } from '#server/config/startup-error.ts';
import { audit } from '#server/modules/ledger/audit.ts';
import { fileStage, type Person, packageBody } from './stage.ts';

// Paid at the delivery: a payout is among what is restored.
const source = fileStage({ RELEASE_AFTER_HOURS: '0' });
const target = fileStage();
const third = fileStage();
const folder = mkdtempSync(path.join(tmpdir(), 'kaya-backup-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const fresh = () => path.join(folder, `${randomUUID()}.backup`);

let sender: Person;
let courier: Person;
let file: string;

const take = (person: Person) => ({ deliveryPersonId: person.id, deliveryStatus: 'In Transit' });

beforeAll(async () => {
  const stage = source();
  const admin = await stage.admin();
  sender = await stage.person('Customer');
  courier = await stage.person('Employee');
  await stage.send(admin, 'PATCH', '/api/users/balance', {
    body: { id: sender.id, amount: 9000, reason: 'Opening balance' },
  });
  for (const isDelivered of [true, false]) {
    const pkg = await stage.created(sender, {
      paymentMethod: 'app',
      priceOffer: 1500.5,
      ...(isDelivered ? { pickupLocation: { lat: 12.0022, lng: 8.5919 } } : {}),
    });
    const at = `/api/packages/${pkg._id}`;
    await stage.send(courier, 'PATCH', at, { body: take(courier) });
    if (isDelivered) {
      await stage.send(courier, 'PATCH', at, { body: { deliveryStatus: 'Delivered' } });
    }
  }
  const removed = await stage.created(sender);
  await stage.send(sender, 'DELETE', `/api/packages/${removed._id}`);
  // A chain of refresh tokens: rows that reference their own table.
  for (let turn = 0; turn < 3; turn += 1) {
    const answer = await stage.send(null, 'GET', '/api/auth/refresh', {
      headers: { cookie: courier.cookie },
    });
    courier.cookie = String(answer.headers['set-cookie']).split(';', 1)[0] ?? '';
    stage.pass(1000);
  }
  file = fresh();
  await saveBackup(stage.database.db, file, stage.now());
});

async function rowsOf(database: ReturnType<typeof source>['database'], name: string) {
  const table = backupTables().find((one) => one.name === name);
  const columns = sql.join(
    (table?.columns ?? []).map((column) => sql.identifier(column)),
    sql`, `,
  );
  const result = await database.db.execute(
    sql`select to_jsonb(t)::text as row from (select ${columns} from ${sql.identifier(name)}) as t`,
  );
  return (result as unknown as { rows: { row: string }[] }).rows.map(({ row }) => row).sort();
}

describe('backup and restore', () => {
  it('rejects a damaged, truncated or foreign file and restores nothing', async () => {
    const bytes = readFileSync(file);
    const lines = gunzipSync(bytes).toString().trimEnd().split('\n');
    const spoilt: [string, Buffer | string][] = [
      ['half of the file', bytes.subarray(0, bytes.length / 2)],
      ['no gzip', 'hello'],
      ['nothing', ''],
      ['gzip of something else', gzipSync('hello\n')],
      ['without its last line', gzipSync(lines.slice(0, -1).join('\n'))],
      ['without a batch', gzipSync([...lines.slice(0, 2), ...lines.slice(3)].join('\n'))],
      ['of a newer version', gzipSync(lines.join('\n').replace('"migrations":', '"migrations":9'))],
      ['with an unknown table', gzipSync(lines.join('\n').replace('"users"', '"people"'))],
    ];
    for (const [what, content] of spoilt) {
      const place = fresh();
      writeFileSync(place, content);
      await expect(restoreBackup(target().db, place), what).rejects.toBeInstanceOf(StartupError);
      expect(await rowsOf(target().database, 'users'), what).toEqual([]);
    }
    await expect(restoreBackup(target().db, path.join(folder, 'nowhere'))).rejects.toThrow(
      /is not there/,
    );
  });

  it('rejects a backup whose ledger does not balance, with the reason', async () => {
    const lines = gunzipSync(readFileSync(file)).toString().trimEnd().split('\n');
    const richer = lines.map((line) => {
      const batch = JSON.parse(line);
      if (batch.table !== 'wallets') return line;
      const rows = batch.rows.map((row: { available_kobo: number }) => ({
        ...row,
        available_kobo: row.available_kobo + 5000,
      }));
      return JSON.stringify({ ...batch, rows });
    });
    const place = fresh();
    writeFileSync(place, gzipSync(`${richer.join('\n')}\n`));
    const restoring = restoreBackup(target().db, place);
    await expect(restoring).rejects.toBeInstanceOf(StartupError);
    await expect(restoring).rejects.toThrow(/does not add up: The wallet of .+ says/);
    for (const table of ['users', 'wallets', 'transfers', 'packages']) {
      expect(await rowsOf(target().database, table), table).toEqual([]);
    }
  });

  it('of two backups to one name writes one; the other reports that the file exists', async () => {
    const place = fresh();
    const begun = [1, 2].map(() => saveBackup(source().db, place, new Date()));
    const ends = await Promise.allSettled(begun);
    expect(ends.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    const refusal = ends.find((end) => end.status === 'rejected');
    expect(String(refusal?.reason)).toMatch(/is there already/);
    const [, ...lines] = gunzipSync(readFileSync(place)).toString().split('\n');
    const [, ...alone] = gunzipSync(readFileSync(file)).toString().split('\n');
    expect(lines).toEqual(alone);
    expect(readdirSync(folder).filter((name) => name.endsWith('.new'))).toEqual([]);
  });

  it('never overwrites a backup or leaves a partial one', async () => {
    await expect(saveBackup(source().db, file, new Date())).rejects.toThrow(/already/);
    const nowhere = path.join(folder, 'no', 'such', 'folder', 'x.backup');
    await expect(saveBackup(source().db, nowhere, new Date())).rejects.toThrow(
      /cannot be written \(ENOENT\)/,
    );
    expect(readdirSync(folder).filter((name) => name.endsWith('.new'))).toEqual([]);
    if (process.platform !== 'win32') expect(statSync(file).mode & 0o077).toBe(0);
  });

  it('restores every row of every table into an empty database', async () => {
    const counts = await restoreBackup(target().db, file);
    expect(Object.values(counts).every((count) => count >= 0)).toBe(true);
    expect(counts).toMatchObject({ packages: 3, transfers: 4 });
    for (const { name } of backupTables().filter((table) => table.name !== 'server_settings')) {
      expect(await rowsOf(target().database, name), name).toEqual(
        await rowsOf(source().database, name),
      );
    }
    expect(await audit(target().db)).toEqual([]);
  });

  it('fills columns missing from an older version with defaults; of two concurrent restores one succeeds', async () => {
    const lines = gunzipSync(readFileSync(file)).toString().trimEnd().split('\n');
    const batches = lines.map((line) => JSON.parse(line));
    const sessions: { id: string; user_id: string }[] = batches.find(
      ({ table }) => table === 'sessions',
    ).rows;
    const session = sessions.find(({ user_id }) => user_id === courier.id);
    const subscription = {
      endpoint: 'https://push.kaya.test/1',
      p256dh: 'key',
      auth: 'secret',
      kinds: [],
      user_id: courier.id,
      session_id: session?.id,
      created_at: '2026-11-21T08:00:00Z',
    };
    const end = batches.pop();
    const older = [
      ...batches,
      { table: 'push_subscriptions', rows: [subscription] },
      { ...end, rows: end.rows + 1 },
    ];
    const place = fresh();
    writeFileSync(place, gzipSync(`${older.map((line) => JSON.stringify(line)).join('\n')}\n`));
    const ends = await Promise.allSettled([
      restoreBackup(third().db, place),
      restoreBackup(third().db, place),
    ]);
    expect(ends.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    const refusal = ends.find((one) => one.status === 'rejected');
    expect(String(refusal?.reason)).toMatch(/has users already/);
    const [row] = await rowsOf(third().database, 'push_subscriptions');
    expect(JSON.parse(String(row))).toMatchObject({ endpoint: subscription.endpoint, failures: 0 });
  });

  it('keeps sessions, balances and package numbers, and resets cursors', async () => {
    // A server started after the restore.
    const { send, signIn } = await target().another();
    // An access token issued before the backup stays valid: the secret is part of it.
    const [self] = (await send<WireUser[]>(sender, 'GET', '/api/users')).body;
    expect(self?.balance).toBe(9000 - 2 * 1500.5);
    expect((await send<Payments>(sender, 'GET', '/api/payments')).body.held).toBe(1500.5);
    const cookie = { headers: { cookie: courier.cookie } };
    expect((await send(null, 'GET', '/api/auth/refresh', cookie)).status).toBe(200);
    expect((await signIn(courier.email)).id).toBe(courier.id);
    const old = await source().send(sender, 'GET', '/api/packages?since=');
    const cursor = encodeURIComponent(String(old.headers[headers.syncCursor]));
    const begun = await send<unknown[]>(sender, 'GET', `/api/packages?since=${cursor}`);
    expect([begun.headers[headers.syncReset], begun.body.length]).toEqual(['true', 2]);
    const next = await send<WirePackage>(sender, 'POST', '/api/packages', { body: packageBody() });
    expect(next.body.packageId).toBe('KY-000004');
  });
});
