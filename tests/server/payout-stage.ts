/** A courier with money and a bank account, on a stage whose sandbox plays the bank. */
import { randomUUID } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { eq } from 'drizzle-orm';
import type { BankAccount, Payout, Payouts } from '#contract/payout.ts';
import { payouts } from '#server/database/payout-schema.ts';
import { getOrCreateSetting } from '#server/modules/auth/repository.ts';
import { sandboxPath } from '#server/modules/payments/providers/sandbox/protocol.ts';
import { createTransfers } from '#server/modules/payments/providers/transfers.ts';
import { reconcilePayouts, sendPayouts } from '#server/modules/payouts/sending.ts';
import { type Answer, type AnyBody, goodPassword, type Person, type Stage } from './stage.ts';

export const gtBank = '058';
const secondMs = 1000;
export const minuteMs = 60 * secondMs;
export const hourMs = 60 * minuteMs;

export const quiet = { error: () => undefined, warn: () => undefined };

export const ownUrlOf = ({ app }: Stage) =>
  `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;

export function putAccount(stage: Stage, who: Person, changes: object = {}) {
  const account = { bankCode: gtBank, accountNumber: '0123456789', password: goodPassword };
  const body = { ...account, ...changes };
  return stage.send<BankAccount & AnyBody>(who, 'PUT', '/api/payouts/account', { body });
}

export function payOut(
  stage: Stage,
  who: Person,
  amount: number,
  key: string = randomUUID(),
): Promise<Answer<Payout & AnyBody>> {
  const headers = { 'idempotency-key': key };
  return stage.send(who, 'POST', '/api/payouts', { body: { amount }, headers });
}

export const listOf = async (stage: Stage, who: Person) =>
  (await stage.send<Payouts>(who, 'GET', '/api/payouts')).body;

/** A courier with ₦10,000 and an account whose wait is over. */
export async function readyCourier(stage: Stage, accountNumber = '0123456789'): Promise<Person> {
  const courier = await stage.person('Employee');
  await stage.give(courier, 1_000_000);
  const saved = await putAccount(stage, courier, { accountNumber });
  if (saved.status !== 200) throw new Error(saved.text);
  stage.pass(24 * hourMs);
  return stage.again(courier);
}

/** What the server does every few seconds and every minute, now. */
export async function roundsOf(stage: Stage) {
  const secretKey = await getOrCreateSetting(stage.db, 'sandbox_secret_key', '');
  const baseUrl = () => `${ownUrlOf(stage)}${sandboxPath}`;
  const transfers = createTransfers({ baseUrl, secretKey, timeoutMs: 3000, backOffMs: 1 });
  const needs = { db: stage.db, now: stage.now, transfers, log: quiet };
  return { send: () => sendPayouts(needs), ask: () => reconcilePayouts(needs), secretKey };
}

export async function rowOf(stage: Stage, id: string) {
  const [row] = await stage.db.select().from(payouts).where(eq(payouts.id, id));
  if (!row) throw new Error('There is no such payout.');
  return row;
}
