/** The history as it is put together from pages. Pure; it only ever grows at its newest end. */
import type { Payments } from '#contract/payment.ts';

/** The first page, asked for anew, over what was shown: older entries stay where the two meet. */
export function withNewest(shown: Payments | null, newest: Payments): Payments {
  if (shown === null) return newest;
  const fresh = new Set(newest.entries.map(({ _id }) => _id));
  const older = shown.entries.filter(({ _id }) => !fresh.has(_id));
  const doMeet = older.length < shown.entries.length;
  if (!doMeet) return newest;
  const isLonger = older.length > 0;
  return {
    ...newest,
    entries: [...newest.entries, ...older],
    next: isLonger ? shown.next : newest.next,
  };
}

/** The page after what is shown; the balances are those of the later answer. */
export function withOlder(shown: Payments, page: Payments): Payments {
  const known = new Set(shown.entries.map(({ _id }) => _id));
  const older = page.entries.filter(({ _id }) => !known.has(_id));
  return { ...page, entries: [...shown.entries, ...older] };
}
