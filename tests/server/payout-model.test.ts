/**
 * Random lives of payouts on two servers over one database, while the provider loses, cuts off, delays
 * and reverses, webhooks come twice and in the wrong order, and processes die between two steps: no
 * naira leaves twice, none is lost, no balance goes below zero, and every payout ends.
 */
import { randomUUID } from 'node:crypto';
import { eq, sql } from 'drizzle-orm';
import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Actor } from '#domain/policy.ts';
import { bankAccounts, payouts } from '#server/database/payout-schema.ts';
import { users } from '#server/database/schema.ts';
import { inTransaction } from '#server/database/transaction.ts';
import { Refusal } from '#server/http/refusal.ts';
import { audit } from '#server/modules/ledger/audit.ts';
import { walletOf } from '#server/modules/ledger/repository.ts';
import { adjust } from '#server/modules/ledger/service.ts';
import { ProviderError } from '#server/modules/payments/providers/paystack-calls.ts';
import { hearTransfer, reconcilePayouts, sendPayouts } from '#server/modules/payouts/sending.ts';
import { createPayoutService } from '#server/modules/payouts/service.ts';
import { courses, FakeBank, Killed, mishaps } from '#tests/fakes/fake-bank.ts';
import { rounds } from '#tests/size.ts';
import { shareOf } from './databases.ts';
import { hourMs, minuteMs, quiet } from './payout-stage.ts';
import { fileStage } from './stage.ts';

const stage = fileStage();
const runs = rounds(60, shareOf(2_000, 1 / 8));
const purseKobo = 2_000_000;

const nth = fc.constantFrom(0, 0, 0, 1, 2);
const goesWrong = fc.array(fc.constantFrom(...mishaps), { maxLength: 3 });
const command = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('create' as const),
      naira: fc.constantFrom(100, 4_990, 5_000, 9_975, 19_975, 30_000),
      isTwice: fc.boolean(),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('send' as const),
      course: fc.constantFrom(...courses, ['refused'] as const),
      goesWrong,
      isByBoth: fc.boolean(),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('ask' as const),
      minutes: fc.constantFrom(1, 3, 10, 90),
      goesWrong,
      isByBoth: fc.boolean(),
    }),
  },
  { weight: 5, arbitrary: fc.record({ do: fc.constant('step' as const), nth }) },
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('webhook' as const),
      nth,
      // Whatever is true at the provider.
      events: fc.array(fc.constantFrom('success', 'failed', 'reversed'), {
        minLength: 1,
        maxLength: 3,
      }),
      goesWrong,
    }),
  },
);
type Command = typeof command extends fc.Arbitrary<infer C> ? C : never;

/** What a life is to have come across. */
const seen = { payouts: 0, paid: 0, returned: 0, cameBack: 0, killed: 0, short: 0 };

class Life {
  readonly bank = new FakeBank();
  readonly courier: Actor = { id: randomUUID(), role: 'Employee', isProfileComplete: true };
  private readonly references: string[] = [];
  /** Two servers differ in nothing but their memory. */
  private readonly server = {
    db: stage().db,
    now: stage().now,
    transfers: this.bank,
    log: quiet,
  };
  private readonly service = createPayoutService({
    ...this.server,
    providerName: 'sandbox',
    waitMs: 0,
  });

  async begin(): Promise<void> {
    const { id } = this.courier;
    const at = stage().now();
    const account = { bankCode: '058', bankName: 'GTBank', accountNumber: '0123456789' };
    await stage()
      .db.insert(users)
      .values({
        id,
        email: `${id}@kaya.test`,
        passwordHash: '',
        roles: ['Employee'],
        createdAt: at,
        updatedAt: at,
      });
    await stage()
      .db.insert(bankAccounts)
      .values({
        userId: id,
        ...account,
        accountName: 'AMINA BELLO',
        recipientCode: 'RCP_1',
        usableFrom: at,
        savedAt: at,
      });
    const gift = { userId: id, amountKobo: purseKobo, reason: 'A gift', actorId: id, now: at };
    await inTransaction(stage().db, (tx) => adjust(tx, gift));
  }

  private referenceAt = (index: number) => this.references[index % this.references.length];

  /** One process's work: it may find the provider away, or die. */
  private async survive(work: () => Promise<unknown>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (error instanceof Killed) seen.killed += 1;
      else if (!(error instanceof ProviderError || error instanceof Refusal)) throw error;
    }
  }

  private both(work: () => Promise<unknown>, isByBoth: boolean): Promise<unknown> {
    const one = () => this.survive(work);
    return isByBoth ? Promise.all([one(), one()]) : one();
  }

  private async create(naira: number): Promise<void> {
    try {
      await inTransaction(stage().db, this.service.create(this.courier, naira));
    } catch (error) {
      if (!(error instanceof Refusal) || error.code !== 'insufficient_funds') throw error;
      seen.short += 1;
    }
    const rows = await this.rows();
    this.references.splice(0, Infinity, ...rows.map(({ reference }) => reference));
  }

  rows = () =>
    stage()
      .db.select()
      .from(payouts)
      .where(eq(payouts.userId, this.courier.id))
      .orderBy(payouts.createdAt, payouts.id);

  async run(command: Command): Promise<void> {
    if (command.do === 'create') {
      const { naira, isTwice } = command;
      await Promise.all([naira, ...(isTwice ? [naira] : [])].map((each) => this.create(each)));
    } else if (command.do === 'step') {
      const reference = this.referenceAt(command.nth);
      if (reference !== undefined) this.bank.step(reference);
    } else if (command.do === 'webhook') {
      await this.webhooks(command);
    } else {
      this.bank.mishaps.splice(0, Infinity, ...command.goesWrong);
      if (command.do === 'send') this.bank.course = command.course;
      else stage().pass(command.minutes * minuteMs);
      const work = command.do === 'send' ? sendPayouts : reconcilePayouts;
      await this.both(() => work(this.server), command.isByBoth);
      this.bank.mishaps.length = 0;
    }
  }

  private async webhooks({ nth, events, goesWrong }: Extract<Command, { do: 'webhook' }>) {
    const reference = this.referenceAt(nth);
    if (reference === undefined) return;
    this.bank.mishaps.splice(0, Infinity, ...goesWrong);
    const hear = (event: string) =>
      this.survive(() =>
        hearTransfer(this.server, { event: `transfer.${event}`, data: { reference } }),
      );
    await Promise.all(events.map(hear));
    this.bank.mishaps.length = 0;
  }

  /** The provider answers again, and all of its transfers come to their end. */
  async end(): Promise<void> {
    for (let round = 0; round < 6; round += 1) {
      await sendPayouts(this.server);
      for (const reference of this.references) this.bank.step(reference);
      stage().pass(7 * hourMs);
      await reconcilePayouts(this.server);
    }
  }

  async check(): Promise<void> {
    const rows = await this.rows();
    const arrived = this.bank.arrived();
    for (const row of rows) {
      const { reference, status } = row;
      const booked = arrived.get(reference);
      expect([reference, status, booked]).toEqual(
        booked === undefined
          ? [reference, 'returned', undefined]
          : [reference, 'paid', row.amountKobo],
      );
      expect(row.problem).toBeNull();
    }
    const gone = rows
      .filter(({ status }) => status === 'paid')
      .reduce((sum, { amountKobo, feeKobo }) => sum + amountKobo + feeKobo, 0);
    const { availableKobo, heldKobo } = await walletOf(stage().db, this.courier.id);
    expect([availableKobo, heldKobo]).toEqual([purseKobo - gone, 0]);
    seen.payouts += rows.length;
    for (const { status, reason } of rows) {
      if (status === 'paid') seen.paid += 1;
      if (status === 'returned') seen.returned += 1;
      if (reason === 'reversed') seen.cameBack += 1;
    }
  }
}

/** The triggers keep the ledger from being emptied; a small one is audited quickly. */
async function emptyDatabase(): Promise<void> {
  await stage().db.transaction(async (tx) => {
    await tx.execute(sql`set local session_replication_role = replica`);
    await tx.execute(sql`truncate entries, transfers, payouts, bank_accounts, wallets`);
  });
}

const lives = fc.array(command, { minLength: 4, maxLength: 16 });

it(`no naira leaves twice and none is lost in ${runs} random lives`, {
  timeout: 1_800_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(lives, async (commands) => {
      await emptyDatabase();
      const life = new Life();
      await life.begin();
      await life.run({ do: 'create', naira: 4_990, isTwice: false });
      for (const each of commands) {
        await life.run(each);
        const { availableKobo } = await walletOf(stage().db, life.courier.id);
        expect(availableKobo).toBeGreaterThanOrEqual(0);
      }
      expect(await audit(stage().db)).toEqual([]);
      await life.end();
      await life.check();
      expect(await audit(stage().db)).toEqual([]);
    }),
    { numRuns: runs },
  );
  for (const [what, count] of Object.entries(seen)) expect([what, count > 0]).toEqual([what, true]);
});
