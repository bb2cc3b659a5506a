/** Pages of the history put together, and a courier's kept on the phone. Pure. */
import * as v from 'valibot';
import { type Payments, paymentsSchema } from '#contract/payment.ts';
import { payoutsSchema } from '#contract/payout.ts';
import type { HeardPayments } from '#state/payment.ts';

/** Merges the newest page into the shown entries; older ones stay if the two overlap. */
export function withNewest(shown: Payments | null, newest: Payments): Payments {
  if (shown === null) return newest;
  const fresh = new Set(newest.entries.map(({ _id }) => _id));
  const older = shown.entries.filter(({ _id }) => !fresh.has(_id));
  const isOverlapping = older.length < shown.entries.length;
  if (!isOverlapping) return newest;
  const isLonger = older.length > 0;
  return {
    ...newest,
    entries: [...newest.entries, ...older],
    next: isLonger ? shown.next : newest.next,
  };
}

/** Appends the next page; balances are those of the later answer. */
export function withOlder(shown: Payments, page: Payments): Payments {
  const known = new Set(shown.entries.map(({ _id }) => _id));
  const older = page.entries.filter(({ _id }) => !known.has(_id));
  return { ...page, entries: [...shown.entries, ...older] };
}

const keptSchema = v.object({
  userId: v.string(),
  payments: paymentsSchema,
  payouts: v.nullable(payoutsSchema),
  at: v.pipe(v.string(), v.isoTimestamp()),
});

/** Null: nothing kept, or by an app that kept it otherwise. */
export function heardFromText(text: string | null): HeardPayments | null {
  try {
    const parsed = v.safeParse(keptSchema, JSON.parse(text ?? 'null'));
    return parsed.success ? parsed.output : null;
  } catch {
    return null;
  }
}
