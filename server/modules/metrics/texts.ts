import { Gauge, type Registry } from 'prom-client';
import { textStatuses } from '#contract/text-message.ts';
import { koboToNaira } from '#domain/money.ts';
import type { Database } from '#server/database/database.ts';
import { textTotals } from '#server/modules/texts/repository.ts';
import { createSlowReader } from './queues.ts';

/** The cost of messages changes slowly, and counting many of them takes long. */
const everyMs = 5 * 60_000;
const days = 30;

/** Text messages and their cost; returns a function that updates the figures. */
export function addTextMetrics(
  registry: Registry,
  { db, now }: { db: Database; now: () => Date },
): () => Promise<void> {
  const registers = [registry];
  const texts = new Gauge({
    name: 'kaya_texts',
    help: `Text messages of the last ${days} days by what became of them, counted every five minutes.`,
    labelNames: ['status'] as const,
    registers,
  });
  const cost = new Gauge({
    name: 'kaya_text_cost_naira',
    help: 'What the provider says that they cost.',
    registers,
  });
  const perPackage = new Gauge({
    name: 'kaya_text_cost_per_package_naira',
    help: 'The same, by packages with at least one whose cost is known.',
    registers,
  });
  const since = () => new Date(now().getTime() - days * 86_400_000);
  const look = createSlowReader(() => textTotals(db, since()), { now, everyMs });
  return async () => {
    const totals = await look();
    if (!totals) return;
    for (const status of textStatuses) {
      const found = totals.statuses.find((each) => each.status === status);
      texts.set({ status }, found?.count ?? 0);
    }
    const costNaira = koboToNaira(totals.costKobo);
    cost.set(costNaira);
    perPackage.set(totals.packages === 0 ? 0 : costNaira / totals.packages);
  };
}
