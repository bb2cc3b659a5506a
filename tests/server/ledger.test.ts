/** The ledger's rules: enforced by the code, enforced by the database, verified by the audit. */
import { randomUUID } from 'node:crypto';
import { eq, type SQL, sql } from 'drizzle-orm';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Database } from '#server/database/database.ts';
import { entries, topUps, transfers, wallets } from '#server/database/money-schema.ts';
import { Refusal } from '#server/http/refusal.ts';
import { audit } from '#server/modules/ledger/audit.ts';
import { walletOf } from '#server/modules/ledger/repository.ts';
import { hold, refund, release, topUp } from '#server/modules/ledger/service.ts';
import { fileStage, type Person } from './stage.ts';

const stage = fileStage();
const db = () => stage().db;
let person: Person;
let courier: Person;
let packageId: string;
beforeEach(async () => {
  person = await stage().person('Customer');
  courier = await stage().person('Employee');
  packageId = (await stage().created(person))._id;
});

const now = () => stage().now();
const give = (amountKobo: number) => stage().give(person, amountKobo);
const money = (amountKobo: number) => ({
  packageId,
  senderId: person.id,
  amountKobo,
  actorId: person.id,
  now: now(),
});
const reasonOf = (work: Promise<unknown>) =>
  work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
const codeOf = async (work: Promise<unknown>) => {
  const error = await reasonOf(work);
  return error instanceof Refusal ? [error.code, error.details.missingKobo] : error;
};

describe('a wallet', () => {
  it('is created by its first transfer and follows every transfer', async () => {
    expect(await walletOf(db(), person.id)).toEqual({ availableKobo: 0, heldKobo: 0 });
    await give(1000);
    await db().transaction(async (tx) => {
      await hold(tx, money(700));
      await refund(tx, money(200));
      await release(tx, { ...money(500), courierId: courier.id });
    });
    expect(await walletOf(db(), person.id)).toEqual({ availableKobo: 500, heldKobo: 0 });
    expect(await walletOf(db(), courier.id)).toEqual({ availableKobo: 500, heldKobo: 0 });
  });

  it('never goes negative, and reports the missing amount', async () => {
    await give(1000);
    expect(await codeOf(db().transaction((tx) => hold(tx, money(1001))))).toEqual([
      ...['insufficient_funds', 1],
    ]);
    expect(await codeOf(give(-1500))).toEqual(['insufficient_funds', 500]);
    await expect(db().transaction((tx) => refund(tx, money(1)))).rejects.toThrow('hold');
    expect(await walletOf(db(), person.id)).toEqual({ availableKobo: 1000, heldKobo: 0 });
  });

  it('moves only positive whole kobo', async () => {
    await give(1000);
    for (const amount of [0, -5, 0.5, Number.NaN, Number.POSITIVE_INFINITY]) {
      await expect(db().transaction((tx) => hold(tx, money(amount)))).rejects.toThrow(RangeError);
    }
  });

  it('serializes concurrent transfers', async () => {
    await give(1000);
    const holds = Array.from({ length: 8 }, () => db().transaction((tx) => hold(tx, money(300))));
    const results = await Promise.allSettled(holds);
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(3);
    expect(await walletOf(db(), person.id)).toEqual({ availableKobo: 100, heldKobo: 900 });
    await db().transaction((tx) => refund(tx, money(900)));
  });
});

describe('the database', () => {
  const saidBy = async (work: Promise<unknown>) => {
    const error = await reasonOf(work);
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    return String(cause);
  };

  it('refuses a transfer that does not sum to zero or has no entries', async () => {
    const id = randomUUID();
    const lone = { id, kind: 'adjustment' as const, createdAt: now() };
    expect(await saidBy(db().insert(transfers).values(lone))).toContain('not to zero');
    const crooked = db().transaction(async (tx) => {
      await tx.insert(transfers).values(lone);
      await tx.insert(entries).values([
        { transferId: id, account: 'adjustments', amountKobo: -100 },
        { transferId: id, account: 'available', userId: person.id, amountKobo: 101 },
      ]);
    });
    expect(await saidBy(crooked)).toContain('sum to 1');
  });

  it('refuses to update, delete or truncate entries', async () => {
    await give(100);
    for (const [table, change] of [
      ['transfers', sql`update transfers set reason = 'x'`],
      ['transfers', sql`delete from transfers`],
      ['entries', sql`update entries set amount_kobo = 1`],
      ['entries', sql`delete from entries`],
      ['entries', sql`truncate entries`],
      ['transfers', sql`truncate transfers cascade`],
    ] as const) {
      const said = await saidBy(db().execute(change));
      expect(said).toContain('append-only');
      expect(said).toContain(table === 'transfers' ? 'on ' : 'entries');
    }
  });

  it('credits a reference once and releases a hold once, independent of the code', async () => {
    const reference = `kaya_${randomUUID()}`;
    await db().insert(topUps).values({
      reference,
      userId: person.id,
      provider: 'sandbox',
      requestedKobo: 5000,
      status: 'credited',
      creditedKobo: 5000,
      createdAt: now(),
    });
    const credit = () =>
      db().transaction((tx) =>
        topUp(tx, { reference, userId: person.id, amountKobo: 5000, now: now() }),
      );
    await credit();
    expect(await saidBy(credit())).toContain('transfers_one_top_up');
    const pay = () =>
      db().transaction((tx) => release(tx, { ...money(100), courierId: courier.id }));
    const { _id: other } = await stage().created(person);
    await db().transaction(async (tx) => {
      for (const of of [packageId, other]) await hold(tx, { ...money(100), packageId: of });
    });
    await pay();
    expect(await saidBy(pay())).toContain('transfers_one_release');
    await db().transaction((tx) => hold(tx, money(100)));
    await pay();
    expect(await walletOf(db(), person.id)).toEqual({ availableKobo: 4700, heldKobo: 100 });
  });
});

describe('the audit', () => {
  /** Damages the ledger with its triggers disabled, runs the audit, and rolls back. */
  async function found(damage: (tx: Database) => Promise<unknown>): Promise<string[]> {
    let sentences: string[] = [];
    const undone = new Error('undone');
    await db()
      .transaction(async (tx) => {
        await tx.execute(sql`set local session_replication_role = replica`);
        await damage(tx);
        sentences = await audit(tx);
        throw undone;
      })
      .catch((error: unknown) => {
        if (error !== undone) throw error;
      });
    return sentences;
  }

  it('finds and names each kind of damage', async () => {
    await give(5000);
    const pkg = await stage().created(person, { paymentMethod: 'app', priceOffer: 20 });
    const held = sql`where id = ${pkg._id}`;
    const walletSays = (values: object) => (tx: Database) =>
      tx.update(wallets).set(values).where(eq(wallets.userId, person.id));
    const run = (statement: SQL) => (tx: Database) => tx.execute(statement);
    const credited = (reference: string) => ({
      reference,
      userId: person.id,
      provider: 'sandbox' as const,
      requestedKobo: 100,
      status: 'credited' as const,
      creditedKobo: 100,
      createdAt: now(),
    });
    const cases: [RegExp, (tx: Database) => Promise<unknown>][] = [
      [/wallet of .* says 3001 available/, walletSays({ availableKobo: 3001 })],
      [/holds 1999 kobo, the packages/, walletSays({ heldKobo: 1999 })],
      [
        /sums to/,
        run(sql`update entries set amount_kobo = amount_kobo + 1 where account = 'adjustments'`),
      ],
      [
        /by what came before/,
        run(sql`update entries set available_kobo = available_kobo + 1
          where user_id = ${person.id}`),
      ],
      [
        /says it holds 0 kobo, its transfers say 2000/,
        run(sql`update packages set held_kobo = 0 ${held}`),
      ],
      [
        /holds 2000 kobo of a price of 2000/,
        run(sql`update packages set status = 'cancelled' ${held}`),
      ],
      [
        /delivered\) holds 2000 kobo, to be released at no time\./,
        run(sql`update packages set status = 'delivered', courier_id = ${courier.id} ${held}`),
      ],
      [
        /pending\) holds 2000 kobo, to be released at 2026/,
        run(sql`update packages set release_at = '2026-11-21T09:00:00Z' ${held}`),
      ],
      [/were paid out/, run(sql`update packages set paid_out_at = now() ${held}`)],
      [
        /says that 0 kobo of a price of 2000 were paid out, its transfers say 2000/,
        async (tx) => {
          const of = { ...money(2000), packageId: pkg._id };
          await release(tx, { ...of, courierId: courier.id });
          await tx.execute(
            sql`update packages set held_kobo = 0, payment_status = 'unpaid' ${held}`,
          );
        },
      ],
      [/All wallets hold/, run(sql`delete from entries where account = 'adjustments'`)],
      [
        /Top-up kaya_false .* credited 100 kobo, its transfers credited 0/,
        (tx) => tx.insert(topUps).values(credited('kaya_false')),
      ],
      [
        /Top-up kaya_theirs .* credited 100 kobo, its transfers credited 100 in 1/,
        async (tx) => {
          const reference = 'kaya_theirs';
          await tx.insert(topUps).values(credited(reference));
          await topUp(tx, { reference, userId: courier.id, amountKobo: 100, now: now() });
        },
      ],
    ];
    for (const [sentence, damage] of cases) {
      expect((await found(damage)).join('\n')).toMatch(sentence);
    }
  });
});
