import { Gauge, type Registry } from 'prom-client';
import { mailStatuses } from '#server/database/account-schema.ts';
import type { Database } from '#server/database/database.ts';
import { mailTotals } from '#server/modules/mail/repository.ts';
import { createSlowReader } from './queues.ts';

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
  const since = () => new Date(now().getTime() - days * 86_400_000);
  const look = createSlowReader(() => mailTotals(db, since()), { now, everyMs });
  return async () => {
    const totals = await look();
    if (!totals) return;
    for (const status of mailStatuses) {
      mails.set({ status }, totals.find((each) => each.status === status)?.count ?? 0);
    }
  };
}
