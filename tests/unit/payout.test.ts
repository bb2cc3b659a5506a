/** Fees, the largest payout and the usual time, as tables. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  expectedArrival,
  largestPayout,
  payoutFee,
  payoutTariff,
  tariffFromWire,
  tariffToWire,
} from '#domain/payout.ts';

const naira = (amount: number) => amount * 100;

describe('the fee', () => {
  it.each([
    [100, 10],
    [5_000, 10],
    [5_000.01, 25],
    [50_000, 25],
    [50_000.01, 50],
    [10_000_000, 50],
  ])('of ₦%d is ₦%d', (amount, fee) => {
    expect(payoutFee(naira(amount))).toBe(naira(fee));
  });

  it('is the same read from the wire', () => {
    expect(tariffFromWire(tariffToWire(payoutTariff))).toEqual(payoutTariff);
  });
});

describe('all of it', () => {
  it.each([
    // Nothing, or less than the smallest payout and its fee.
    [0, 0],
    [109.99, 0],
    [110, 100],
    [1_500.5, 1_490.5],
    [5_010, 5_000],
    // The next step would cost more than there is.
    [5_025, 5_000],
    [5_025.01, 5_000.01],
    [50_030, 50_000],
    [50_050.01, 50_000.01],
    [1_000_000, 999_950],
    [20_000_000, 10_000_000],
  ])('of ₦%d is ₦%d', (available, amount) => {
    expect(largestPayout(naira(available))).toBe(naira(amount));
  });

  it('fits with its fee, and one kobo more does not', () => {
    fc.assert(
      fc.property(fc.integer({ min: naira(110), max: naira(10_000_000) }), (availableKobo) => {
        const amount = largestPayout(availableKobo);
        expect(amount + payoutFee(amount)).toBeLessThanOrEqual(availableKobo);
        expect(amount + 1 + payoutFee(amount + 1)).toBeGreaterThan(availableKobo);
      }),
    );
  });
});

it.each([
  ['2026-11-28T11:00:00.000Z', '2026-11-28T13:00:00.000Z'],
  ['2026-11-28T11:00:00.001Z', '2026-11-28T13:15:00.000Z'],
  ['2026-11-28T23:14:00.000Z', '2026-11-29T01:15:00.000Z'],
])('a payout of %s usually arrives by %s', (at, by) => {
  expect(expectedArrival(new Date(at)).toISOString()).toBe(by);
});
