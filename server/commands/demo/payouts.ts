/** Couriers' bank accounts and payouts: most arrive, one comes back, one is still on its way. */
import type { FastifyInstance } from 'fastify';
import type { Database } from '#server/database/database.ts';
import { ownUrlOf } from '#server/http/own-url.ts';
import { getOrCreateSetting } from '#server/modules/auth/repository.ts';
import { sandboxPath } from '#server/modules/payments/providers/sandbox/protocol.ts';
import { createTransfers } from '#server/modules/payments/providers/transfers.ts';
import { reconcilePayouts, sendPayouts } from '#server/modules/payouts/sending.ts';
import type { Person } from './person.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

interface Step {
  /** ms since 1970 */
  at: number;
  play: () => Promise<void>;
}

interface Bank {
  app: FastifyInstance;
  db: Database;
  now: () => Date;
}

/** In turn. The sandbox returns what goes to the second, and keeps the fourth's on its way for half an hour. */
const accounts = [
  { bankCode: '058', accountNumber: '0123456789' },
  { bankCode: '50515', accountNumber: '0000000001' },
  { bankCode: '999992', accountNumber: '8031234567' },
  { bankCode: '044', accountNumber: '0000000003' },
] as const;

async function sendingOf({ app, db, now }: Bank) {
  const secretKey = await getOrCreateSetting(db, 'sandbox_secret_key', '');
  const baseUrl = () => `${ownUrlOf(app)}${sandboxPath}`;
  return { db, now, transfers: createTransfers({ baseUrl, secretKey }), log: app.log };
}

/** From `start` to the real time. */
export function payoutSteps(
  riders: readonly Person[],
  start: number,
  end: number,
  bank: Bank,
): Step[] {
  const play = (at: number, work: () => Promise<void>): Step => ({ at, play: work });
  const send = async () => sendPayouts(await sendingOf(bank));
  const ask = async () => void (await reconcilePayouts(await sendingOf(bank)));
  return riders.flatMap((rider, index) => {
    const account = accounts[index % accounts.length] ?? accounts[0];
    const payOut = async () => {
      await rider.payOut(0.5);
      await send();
    };
    const moments = [start + 5 * dayMs, start + 8 * dayMs, end - 5 * minuteMs];
    const isSlow = account.accountNumber === '0000000003';
    return [
      play(start + hourMs, () => rider.putBankAccount(account)),
      // The one that is slow has only what it asked for just now.
      ...(isSlow ? moments.slice(2) : moments.slice(0, 2)).flatMap((at) => [
        play(at, payOut),
        ...(isSlow ? [] : [play(at + 10 * minuteMs, ask)]),
      ]),
    ];
  });
}
