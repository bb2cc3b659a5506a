import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { PaymentEntry, Payments } from '#contract/payment.ts';
import { withNewest, withOlder } from '#features/payments/payment-pages.ts';

const entry = (number: number): PaymentEntry => ({
  _id: `entry-${number}`,
  kind: 'top_up',
  amount: 100,
  heldAmount: 0,
  heldBalance: 0,
  balance: 100 * number,
  package: null,
  note: null,
  cause: null,
  createdAt: '2026-11-21T10:00:00.000Z',
});

/** Like the server: entries count up from 1, the newest first; `before` is a number. */
function pageOf(count: number, size: number, before = count + 1): Payments {
  const numbers = Array.from({ length: before - 1 }, (_, place) => before - 1 - place);
  const page = numbers.slice(0, size);
  const last = page.at(-1) ?? 1;
  const next = numbers.length > size ? String(last) : null;
  return {
    available: 100 * count,
    held: 0,
    earned: 0,
    onItsWay: 0,
    entries: page.map(entry),
    next,
  };
}

const ids = ({ entries }: Payments) => entries.map(({ _id }) => _id);

describe('the history', () => {
  it('from pages equals the full list, whatever happens between them', () => {
    const step = fc.oneof(
      fc.constant('more' as const),
      fc.integer({ min: 0, max: 12 }).map((added) => ({ added })),
    );
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 30 }),
        fc.integer({ min: 1, max: 6 }),
        fc.array(step, { maxLength: 12 }),
        (begun, size, steps) => {
          let count = begun;
          let shown = withNewest(null, pageOf(count, size));
          for (const each of steps) {
            if (each !== 'more') {
              count += each.added;
              shown = withNewest(shown, pageOf(count, size));
            } else if (shown.next !== null) {
              shown = withOlder(shown, pageOf(count, size, Number(shown.next)));
            }
            // The newest ones without a gap, and the next page starts after them.
            expect(ids(shown)).toEqual(ids(pageOf(count, shown.entries.length)));
            expect(shown.next === null).toBe(shown.entries.length === count);
            expect(shown.available).toBe(100 * count);
          }
        },
      ),
    );
  });

  it('keeps loaded entries on a refresh', () => {
    const shown = withOlder(pageOf(10, 4), pageOf(10, 4, 7));
    expect(withNewest(shown, pageOf(11, 4)).entries).toHaveLength(9);
    // More new entries than a page leave an unknown gap: it restarts.
    expect(withNewest(shown, pageOf(40, 4)).entries).toHaveLength(4);
  });
});
