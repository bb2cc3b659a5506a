/** What a courier earned, by day in Nigeria. */
import { describe, expect, it } from 'vitest';
import type { PaymentEntry } from '#contract/payment.ts';
import { byDay, coverWeek, earningsOf } from '#features/payments/earnings-rules.ts';

/** A Friday, 09:41 in Lagos. */
const nowMs = Date.parse('2026-11-20T08:41:00.000Z');

let count = 0;
const entry = (createdAt: string, amount: number, rest: Partial<PaymentEntry> = {}) => {
  count += 1;
  return {
    _id: `entry-${count}`,
    kind: 'release',
    amount,
    heldAmount: 0,
    balance: 0,
    heldBalance: 0,
    package: null,
    note: null,
    cause: null,
    createdAt,
    ...rest,
  } satisfies PaymentEntry;
};

const weekOf = (entries: PaymentEntry[]) => {
  const { days, todayKobo, weekKobo } = earningsOf(entries, nowMs);
  return { days: days.map(({ kobo }) => kobo), todayKobo, weekKobo };
};

describe('earnings', () => {
  it.each([
    ['nothing', [], [0, 0, 0, 0, 0, 0, 0]],
    [
      'deliveries of several days',
      [
        entry('2026-11-20T08:00:00.000Z', 1550.5),
        entry('2026-11-20T07:00:00.000Z', 1000),
        entry('2026-11-17T12:00:00.000Z', 900),
      ],
      [0, 90_000, 0, 0, 255_050, 0, 0],
    ],
    [
      'midnight in Lagos, which is 23:00 in UTC',
      [
        entry('2026-11-19T23:00:00.000Z', 2),
        entry('2026-11-19T22:59:59.999Z', 1),
        entry('2026-11-15T23:00:00.000Z', 8),
        // Sunday of the week before.
        entry('2026-11-15T22:59:59.999Z', 16),
      ],
      [800, 0, 0, 100, 200, 0, 0],
    ],
    [
      'what was taken back, on the day of that',
      [
        entry('2026-11-20T08:00:00.000Z', -1550, { cause: 'correction' }),
        entry('2026-11-19T08:00:00.000Z', 1550),
      ],
      [0, 0, 0, 155_000, -155_000, 0, 0],
    ],
    [
      'a part of a return and of a dispute',
      [
        entry('2026-11-18T08:00:00.000Z', 700, { cause: 'return' }),
        entry('2026-11-18T09:00:00.000Z', 300, { cause: 'dispute' }),
      ],
      [0, 0, 100_000, 0, 0, 0, 0],
    ],
    [
      'no other movement',
      [
        entry('2026-11-20T08:00:00.000Z', 5000, { kind: 'top_up' }),
        entry('2026-11-20T08:00:00.000Z', 5000, { kind: 'adjustment' }),
        entry('2026-11-20T08:00:00.000Z', -5025, { kind: 'payout' }),
        entry('2026-11-20T08:00:00.000Z', 5025, { kind: 'payout_returned' }),
        // They are the sender: from what was held, and from the balance.
        entry('2026-11-20T08:00:00.000Z', 0, { heldAmount: -1550 }),
        entry('2026-11-20T08:00:00.000Z', -1550),
      ],
      [0, 0, 0, 0, 0, 0, 0],
    ],
  ])('of %s', (_, entries, days) => {
    const weekKobo = days.reduce((sum, kobo) => sum + kobo, 0);
    expect(weekOf(entries)).toEqual({ days, todayKobo: days[4], weekKobo });
  });

  it('know which days are still to come', () => {
    const whens = earningsOf([], nowMs).days.map(({ when }) => when);
    expect(whens).toEqual(['past', 'past', 'past', 'past', 'today', 'future', 'future']);
  });

  it.each([
    ['2026-11-16T07:00:00.000Z', 0],
    ['2026-11-22T22:59:59.000Z', 6],
    ['2026-11-22T23:00:00.000Z', 0],
  ])('at %s today is day %i of the week', (now, place) => {
    const { days } = earningsOf([], Date.parse(now));
    expect(days.findIndex(({ when }) => when === 'today')).toBe(place);
  });

  it.each([
    ['2026-11-15T22:59:59.999Z', true],
    ['2026-11-15T23:00:00.000Z', false],
  ])('are whole with an entry of %s: %s', (createdAt, isWhole) => {
    const entries = [entry('2026-11-20T08:00:00.000Z', 1), entry(createdAt, 1)];
    expect(coverWeek(entries, nowMs)).toBe(isWhole);
  });

  it('are not whole without an entry', () => {
    expect(coverWeek([], nowMs)).toBe(false);
  });
});

it('the history stands under its days, with what each earned', () => {
  const days = byDay(
    [
      entry('2026-11-20T08:00:00.000Z', 1550),
      entry('2026-11-19T23:30:00.000Z', -5025, { kind: 'payout' }),
      entry('2026-11-19T08:00:00.000Z', 900),
      entry('2026-11-02T08:00:00.000Z', 100, { kind: 'top_up' }),
      entry('2025-12-31T08:00:00.000Z', 400),
    ],
    nowMs,
  );
  expect(days.map(({ title, earnedKobo, entries }) => [title, earnedKobo, entries.length])).toEqual(
    [
      ['Today', 155_000, 2],
      ['Yesterday', 90_000, 1],
      ['2 Nov', 0, 1],
      ['31 Dec 2025', 40_000, 1],
    ],
  );
});
