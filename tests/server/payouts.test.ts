/** Payouts from the bank account to the bank, over HTTP with the sandbox in the bank's place. */
import { randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Payments } from '#contract/payment.ts';
import type { Banks, Payout, ResolvedBank } from '#contract/payout.ts';
import { mails } from '#server/database/account-schema.ts';
import { sandboxTransfers } from '#server/database/payout-schema.ts';
import { audit } from '#server/modules/ledger/audit.ts';
import {
  hourMs,
  listOf,
  minuteMs,
  ownUrlOf,
  payOut,
  putAccount,
  readyCourier,
  roundsOf,
  rowOf,
} from './payout-stage.ts';
import { type AnyBody, fileStage, goodPassword, outcomeOf, type Person } from './stage.ts';

const stage = fileStage();
beforeAll(async () => {
  await stage().app.listen({ port: 0, host: '127.0.0.1' });
});
afterAll(async () => {
  expect(await audit(stage().db)).toEqual([]);
});

const mailsTo = async ({ id }: Person) => {
  const rows = await stage().db.select().from(mails).where(eq(mails.userId, id));
  return rows.map(({ kind }) => kind);
};
const get = <T>(who: Person, path: string) => stage().send<T & AnyBody>(who, 'GET', path);
const resolve = (who: Person, bankCode: string, accountNumber: string) =>
  get<ResolvedBank>(
    who,
    `/api/payouts/resolve?bankCode=${bankCode}&accountNumber=${accountNumber}`,
  );
/** The contract check pairs each code with its status. */
const codeOf = async (answer: Promise<{ body: AnyBody }>) => (await answer).body.code;

describe('a bank account', () => {
  it('is found by bank and number, saved with the password, and shown by its last digits', async () => {
    const courier = await stage().person('Employee');
    const banks = (await get<Banks>(courier, '/api/payouts/banks')).body;
    expect(banks).toContainEqual({ code: '058', name: 'Guaranty Trust Bank' });
    expect(banks.map(({ name }) => name)).toEqual(banks.map(({ name }) => name).sort());

    const { accountName } = (await resolve(courier, '058', '0123456789')).body;
    const saved = await putAccount(stage(), courier);
    const usableFrom = new Date(stage().now().getTime() + 24 * hourMs).toISOString();
    const account = {
      bankCode: '058',
      bankName: 'Guaranty Trust Bank',
      accountName,
      accountNumberEnd: '6789',
      usableFrom,
    };
    expect([saved.status, saved.body]).toEqual([200, account]);
    const list = await listOf(stage(), courier);
    expect(list).toEqual({
      account,
      available: 0,
      minimum: 100,
      waitHours: 24,
      fees: [
        { upTo: 5000, fee: 10 },
        { upTo: 50_000, fee: 25 },
        { upTo: null, fee: 50 },
      ],
      payouts: [],
    });
  });

  it('waits again only if it is another one', async () => {
    const courier = await readyCourier(stage());
    const before = (await listOf(stage(), courier)).account;
    expect((await putAccount(stage(), courier)).body).toEqual(before);
    const other = await putAccount(stage(), courier, { accountNumber: '0123456780' });
    expect(Date.parse(other.body.usableFrom)).toBe(stage().now().getTime() + 24 * hourMs);
    expect(await codeOf(payOut(stage(), courier, 500))).toBe('account_waiting');
    // Its owner is told of each change, and of nothing else.
    expect(await mailsTo(courier)).toEqual(['account_notice', 'account_notice']);
  });

  it.each<[object, string]>([
    [{ password: `${goodPassword}x` }, 'wrong_password'],
    [{ accountNumber: '9999999999' }, 'account_unknown'],
    [{ bankCode: '999' }, 'invalid_fields'],
  ])('%j is refused as %s, and nothing is saved', async (changes, code) => {
    const courier = await stage().person('Employee');
    expect(await codeOf(putAccount(stage(), courier, changes))).toBe(code);
    expect((await listOf(stage(), courier)).account).toBeNull();
  });

  it('that the bank does not know has no name', async () => {
    const courier = await stage().person('Employee');
    expect(await codeOf(resolve(courier, '058', '9999999999'))).toBe('account_unknown');
    expect(await codeOf(resolve(courier, '059', '0123456789'))).toBe('invalid_fields');
  });

  it.each(['Customer', 'Admin'] as const)('is not for a %s', async (role) => {
    const who = role === 'Admin' ? await stage().admin() : await stage().person(role);
    const codes = [
      await codeOf(get(who, '/api/payouts')),
      await codeOf(get(who, '/api/payouts/banks')),
      await codeOf(resolve(who, '058', '0123456789')),
      await codeOf(putAccount(stage(), who)),
      await codeOf(payOut(stage(), who, 500)),
    ];
    expect(codes).toEqual(Array(5).fill('forbidden'));
  });
});

describe('a payout', () => {
  it('needs an account, its wait, and money for amount and fee', async () => {
    const courier = await stage().person('Employee');
    await stage().give(courier, 100_500);
    expect(await codeOf(payOut(stage(), courier, 500))).toBe('no_bank_account');
    const { usableFrom } = (await putAccount(stage(), courier)).body;
    stage().pass(24 * hourMs - 1);
    const again = await stage().again(courier);
    expect(await codeOf(payOut(stage(), again, 500))).toBe('account_waiting');
    stage().pass(1);
    expect(stage().now().toISOString()).toBe(usableFrom);
    const short = await payOut(stage(), again, 1000);
    expect([...outcomeOf(short), short.body.missing]).toEqual([402, 'insufficient_funds', 5]);
    expect((await payOut(stage(), again, 995)).status).toBe(201);
    expect((await listOf(stage(), again)).available).toBe(0);
  });

  it('leaves the balance once for a key, and arrives by itself', async () => {
    const courier = await readyCourier(stage());
    const key = randomUUID();
    const first = await payOut(stage(), courier, 6000, key);
    const replay = await payOut(stage(), courier, 6000, key);
    expect([first.status, replay.body]).toEqual([201, first.body]);
    const { _id } = first.body;
    const now = stage().now();
    expect(first.body).toMatchObject({
      amount: 6000,
      fee: 25,
      status: 'pending',
      bankName: 'Guaranty Trust Bank',
      accountNumberEnd: '6789',
      createdAt: now.toISOString(),
      endedAt: null,
      reason: null,
    });
    expect((await listOf(stage(), courier)).available).toBe(3975);

    // The server sends it; the sandbox's signed webhook tells of its end.
    const { reference } = await rowOf(stage(), _id);
    const atTheBank = eq(sandboxTransfers.reference, reference);
    await expect
      .poll(() => stage().db.$count(sandboxTransfers, atTheBank), { timeout: 10_000 })
      .toBe(1);
    stage().pass(6000);
    await expect
      .poll(async () => (await rowOf(stage(), _id)).status, { timeout: 10_000 })
      .toBe('paid');
    const { payouts, available } = await listOf(stage(), courier);
    expect(payouts).toEqual([
      { ...first.body, status: 'paid', expectedBy: null, endedAt: stage().now().toISOString() },
    ]);
    expect(available).toBe(3975);
    const history = (await get<Payments>(courier, '/api/payments')).body;
    expect(history.entries[0]).toMatchObject({
      kind: 'payout',
      amount: -6025,
      balance: 3975,
      note: 'Guaranty Trust Bank •••• 6789',
    });
    expect(history.earned).toBe(0);
  });

  interface End {
    number: string;
    status: Payout['status'];
    reason: Payout['reason'];
    /** After an hour. */
    available: number;
  }
  const gone = 8990;
  it.each<End>([
    { number: '0000000001', status: 'returned', reason: 'failed', available: 10_000 },
    { number: '0000000002', status: 'returned', reason: 'reversed', available: 10_000 },
    { number: '0000000003', status: 'paid', reason: null, available: gone },
    { number: '0000000004', status: 'returned', reason: 'failed', available: 10_000 },
    { number: '0000000005', status: 'paid', reason: null, available: gone },
    { number: '0000000006', status: 'returned', reason: 'reversed', available: 10_000 },
    { number: '0000000007', status: 'returned', reason: 'refused', available: 10_000 },
  ])('to account $number ends $status ($reason)', async ({ number, available, ...end }) => {
    const courier = await readyCourier(stage(), number);
    const { _id } = (await payOut(stage(), courier, 1000)).body;
    const { send, ask } = await roundsOf(stage());
    await send();
    for (const ms of [6000, 20_000, 3 * minuteMs, 30 * minuteMs, 30 * minuteMs]) {
      stage().pass(ms);
      await ask();
    }
    const list = await listOf(stage(), await stage().again(courier));
    const [payout] = list.payouts;
    expect([payout?._id, payout?.status, payout?.reason]).toEqual([_id, end.status, end.reason]);
    expect(list.available).toBe(available);
  });

  it('that came back after it arrived is first paid, then returned, and told in the history', async () => {
    const courier = await readyCourier(stage(), '0000000002');
    const { _id } = (await payOut(stage(), courier, 1000)).body;
    const { send } = await roundsOf(stage());
    await send();
    stage().pass(6000);
    const statusIs = (status: string) =>
      expect.poll(async () => (await rowOf(stage(), _id)).status, { timeout: 10_000 }).toBe(status);
    await statusIs('paid');
    stage().pass(20_000);
    await statusIs('returned');
    const { entries } = (await get<Payments>(courier, '/api/payments')).body;
    // Of the bank account, of the arrival and of the return.
    expect(await mailsTo(courier)).toEqual(Array(3).fill('account_notice'));
    expect(entries.map(({ kind, amount }) => [kind, amount])).toEqual([
      ['payout_returned', 1010],
      ['payout', -1010],
      ['adjustment', 10_000],
    ]);
  });
});

it('the sandbox shows which account numbers show which end', async () => {
  const page = await (await fetch(`${ownUrlOf(stage())}/sandbox/banks`)).text();
  for (const number of ['0000000001', '0000000007', '9999999999']) expect(page).toContain(number);
});
