/**
 * Sends payouts to the provider and asks what became of them, until each has ended. A payout is only
 * ever sent under its own reference, which the provider carries out once: whoever sends it again, after
 * a crash or a lost answer, at worst hears that it exists. Without a clear answer it stays pending;
 * what the webhook says is only a reason to ask.
 */
import type { FastifyInstance } from 'fastify';
import * as v from 'valibot';
import { productName } from '#contract/version.ts';
import { Refusal } from '#server/http/refusal.ts';
import { whileListening } from '#server/http/while-listening.ts';
import { ProviderError } from '#server/modules/payments/providers/paystack-calls.ts';
import { errorForLog } from '#server/plugins/request-log.ts';
import { claimOpen, claimUnsent, findPayout, type PayoutRow } from './repository.ts';
import type { PayoutNeeds } from './service.ts';
import { type Settled, settle, settleRefused } from './settle.ts';

type Needs = Pick<PayoutNeeds, 'db' | 'now' | 'transfers' | 'log'>;

const minuteMs = 60_000;
const sendEveryMs = 2_000;
const askEveryMs = minuteMs;
/** Much longer than a call may take: nobody is sending it any more. */
const minimumAgeMs = 2 * minuteMs;
/** Banks send back within days what they took. */
const watchPaidMs = 7 * 24 * 60 * minuteMs;
const batchSize = 10;
const retryAfterSeconds = 60;

const isAway = ({ fault }: ProviderError) => fault === 'unreachable' || fault === 'silent';

function noted({ log }: Needs, settled: Settled | null): Settled | null {
  if (settled?.problem) {
    const { reference } = settled.row;
    log.error({ reference, problem: settled.problem }, 'a payout needs a dispatcher');
  }
  return settled;
}

/** Sends it, for the first time or again. Throws ProviderError where there is no clear answer. */
async function send(needs: Needs, row: PayoutRow): Promise<Settled | null> {
  const { db, now, transfers, log } = needs;
  const { reference, recipientCode, amountKobo } = row;
  const request = { reference, recipientCode, amountKobo, reason: `${productName} payout` };
  try {
    const transfer = await transfers.transfer(request);
    if (transfer) return noted(needs, await settle(db, transfer, now()));
  } catch (error) {
    if (!(error instanceof ProviderError) || error.fault !== 'refused') throw error;
    log.error({ reference, status: error.status }, 'the provider refused a payout');
    return settleRefused(db, row, now());
  }
  const known = await transfers.verifyTransfer(reference);
  return known ? noted(needs, await settle(db, known, now())) : null;
}

/** Asks what became of it. Throws ProviderError. */
async function check(needs: Needs, row: PayoutRow, stop?: AbortSignal): Promise<Settled | null> {
  const { db, now, transfers } = needs;
  const transfer = await transfers.verifyTransfer(row.reference, stop);
  if (transfer) return noted(needs, await settle(db, transfer, now()));
  // It never arrived there.
  return row.status === 'pending' ? send(needs, row) : null;
}

/** Sends all that were never sent. A failed call is left to `reconcilePayouts`. */
export async function sendPayouts(needs: Needs, stop?: AbortSignal): Promise<void> {
  while (!stop?.aborted) {
    const row = await claimUnsent(needs.db, needs.now());
    if (!row) return;
    try {
      await send(needs, row);
    } catch (error) {
      if (!(error instanceof ProviderError)) throw error;
      const { fault, status } = error;
      const { reference } = row;
      needs.log.warn({ reference, fault, status }, 'the outcome of a payout is unknown');
    }
  }
}

export interface ReconciledPayouts {
  asked: number;
  paid: number;
  returned: number;
  unanswered: number;
}

/** Asks about all that are due. Throws ProviderError if the provider cannot be reached. */
export async function reconcilePayouts(
  needs: Needs,
  stop?: AbortSignal,
): Promise<ReconciledPayouts> {
  const result: ReconciledPayouts = { asked: 0, paid: 0, returned: 0, unanswered: 0 };
  for (;;) {
    const now = needs.now();
    const rows = await claimOpen(needs.db, {
      now,
      sentBefore: new Date(now.getTime() - minimumAgeMs),
      paidAfter: new Date(now.getTime() - watchPaidMs),
      limit: batchSize,
    });
    if (rows.length === 0) return result;
    for (const row of rows) {
      result.asked += 1;
      try {
        const settled = await check(needs, row, stop);
        if (settled?.isNews && settled.row.status !== 'pending') result[settled.row.status] += 1;
      } catch (error) {
        if (!(error instanceof ProviderError) || isAway(error)) throw error;
        result.unanswered += 1;
      }
    }
  }
}

const eventSchema = v.object({
  event: v.picklist(['transfer.success', 'transfer.failed', 'transfer.reversed']),
  data: v.object({ reference: v.string() }),
});

/**
 * A signed event of the provider; ones that are not about a payout are ignored. Refuses with
 * `provider_unavailable` while the provider cannot be asked: it then sends the event again.
 */
export async function hearTransfer(needs: Needs, event: unknown): Promise<void> {
  const parsed = v.safeParse(eventSchema, event);
  if (!parsed.success) return;
  const row = await findPayout(needs.db, parsed.output.data.reference);
  if (!row) return;
  try {
    await check(needs, row);
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    throw new Refusal('provider_unavailable', { retryAfterSeconds });
  }
}

/** Sends every two seconds and asks every minute, while the server listens. */
export function payOutWhileListening(app: FastifyInstance, needs: Needs): void {
  const { log } = app;
  const complain = (error: Error) => {
    if (error instanceof ProviderError) {
      const { fault, status } = error;
      log.warn({ fault, status }, 'payouts wait: the provider is unreachable');
    } else {
      log.error({ err: errorForLog(error) }, 'payouts failed');
    }
  };
  whileListening(app, sendEveryMs, (stop) => sendPayouts(needs, stop), complain);
  const ask = async (stop: AbortSignal) => {
    const { unanswered } = await reconcilePayouts(needs, stop);
    if (unanswered > 0) {
      log.warn({ unanswered }, 'the provider gave unusable responses about payouts');
    }
  };
  whileListening(app, askEveryMs, ask, complain);
}
