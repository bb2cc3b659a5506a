/** Asks the provider about top-ups without an outcome, after a lost webhook or a crash. */
import type { FastifyInstance } from 'fastify';
import { whileListening } from '#server/http/while-listening.ts';
import { ProviderError } from '#server/modules/payments/providers/paystack-calls.ts';
import { errorForLog } from '#server/plugins/request-log.ts';
import { claimOpenTopUps, type TopUpRow } from './repository.ts';
import type { PaymentNeeds, PaymentService } from './service.ts';
import { giveUp, isSettled } from './settle.ts';

const minuteMs = 60_000;
const everyMs = 5 * minuteMs;
const minimumAgeMs = 2 * minuteMs;
/** The provider's pages expire long before; a later payment is still credited by its webhook. */
const giveUpMs = 72 * 60 * minuteMs;
const batchSize = 10;

export interface Reconciled {
  asked: number;
  credited: number;
  abandoned: number;
  unanswered: number;
}

type Needs = Pick<PaymentNeeds, 'db' | 'now'> & {
  payments: PaymentService;
  stop?: AbortSignal;
};

const isAway = ({ fault }: ProviderError) => fault === 'unreachable' || fault === 'silent';

/** The provider's own failure, a wrong key or a rate limit: nothing about this payment. */
const isOfNone = ({ status = 0 }: ProviderError) =>
  status >= 500 || status === 401 || status === 403 || status === 429;

/**
 * Null: the response was unusable; others proceed, and an old one is abandoned anyway. Throws
 * ProviderError if the provider cannot be reached.
 */
async function reconcileOne(needs: Needs, row: TopUpRow): Promise<TopUpRow | null> {
  const { db, now, payments, stop } = needs;
  const isOld = now().getTime() - row.createdAt.getTime() > giveUpMs;
  try {
    const asked = await payments.check(row, stop);
    return isOld && !isSettled(asked) ? await giveUp(db, row.reference) : asked;
  } catch (error) {
    if (!(error instanceof ProviderError) || isAway(error)) throw error;
    return isOld && !isOfNone(error) ? giveUp(db, row.reference) : null;
  }
}

/** Asks about all that are due. Throws ProviderError if the provider cannot be reached. */
export async function reconcile(needs: Needs): Promise<Reconciled> {
  const result: Reconciled = { asked: 0, credited: 0, abandoned: 0, unanswered: 0 };
  for (;;) {
    const now = needs.now();
    const rows = await claimOpenTopUps(needs.db, {
      now,
      createdBefore: new Date(now.getTime() - minimumAgeMs),
      abandonedAfter: new Date(now.getTime() - giveUpMs),
      limit: batchSize,
    });
    if (rows.length === 0) return result;
    for (const row of rows) {
      const status = (await reconcileOne(needs, row))?.status;
      result.asked += 1;
      if (status === undefined) result.unanswered += 1;
      if (status === 'credited') result.credited += 1;
      if (status === 'abandoned') result.abandoned += 1;
    }
  }
}

/** Runs when the server listens and every five minutes; closing aborts the current run. */
export function reconcileWhileListening(app: FastifyInstance, needs: Needs): void {
  const { log } = app;
  const work = async (stop: AbortSignal) => {
    const { unanswered } = await reconcile({ ...needs, stop });
    if (unanswered > 0) {
      log.warn({ unanswered }, 'the provider gave unusable responses about top-ups');
    }
  };
  whileListening(app, everyMs, work, (error) => {
    if (error instanceof ProviderError) {
      const { fault, status } = error;
      log.warn({ fault, status }, 'reconciliation waits: the provider is unreachable');
    } else {
      log.error({ err: errorForLog(error) }, 'reconciliation failed');
    }
  });
}
