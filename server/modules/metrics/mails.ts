import { Gauge, type Registry } from 'prom-client';
import { mailStatuses } from '#server/database/account-schema.ts';
import type { Database } from '#server/database/database.ts';
import { mailTotals } from '#server/modules/mail/repository.ts';
import { createReader } from './queues.ts';

const everyMs = 5 * 60_000;
const days = 30;

/** Mails; returns a function that updates the figures. */
export function addMailMetrics(
  registry: Registry,
  { db, now }: { db: Database; now: () => Date },
): () => Promise<void> {
  const mails = new Gauge({
    name: 'kaya_mails',
    help: `Mails of the last ${days} days by what became of them, counted every five minutes.`,
    labelNames: ['status'] as const,
    registers: [registry],
  });
  const look = createReader(() => mailTotals(db, new Date(now().getTime() - days * 86_400_000)));
  let readAtMs = Number.NEGATIVE_INFINITY;
  return async () => {
    if (now().getTime() - readAtMs < everyMs) return;
    const totals = await look();
    if (!totals) return;
    readAtMs = now().getTime();
    for (const status of mailStatuses) {
      mails.set({ status }, totals.find((each) => each.status === status)?.count ?? 0);
    }
  };
}
