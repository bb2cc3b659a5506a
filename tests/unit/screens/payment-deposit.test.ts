import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkDeposit, depositFor } from '#domain/deposit.ts';

describe('a deposit amount', () => {
  /** How amounts are read: amount.test.ts. */
  it.each([
    ['100', 100],
    [' 2500 ', 2500],
    ['10000000', 10_000_000],
    ['₦1,500', 1500],
  ])('%j is valid', (typed, amount) => {
    expect(checkDeposit(typed)).toEqual({ isValid: true, value: amount });
  });

  it.each([
    ['', 'Minimum deposit is ₦100'],
    ['99.99', 'Minimum deposit is ₦100'],
    ['-5000', 'Minimum deposit is ₦100'],
    ['150', 'Enter a multiple of ₦100, for example 1500.'],
    ['100.50', 'Enter a multiple of ₦100, for example 1500.'],
    ['1e5', 'Enter the amount in figures, for example 1500.'],
    ['1.500', 'Did you mean ₦1,500? You typed 1.500.'],
    ['10000001', 'Must be at most ₦10,000,000.'],
    ['9'.repeat(10_000), 'Must be at most ₦10,000,000.'],
  ])('%.20j is refused at its field', (typed, message) => {
    expect(checkDeposit(typed)).toEqual({ isValid: false, message, fields: { amount: message } });
  });
});

describe('the suggested deposit for a shortfall', () => {
  it.each([
    [600, 600],
    [600.01, 700],
    [1, 100],
    [100, 100],
    [100.00000000000001, 100],
    [10_000_000, 10_000_000],
    [10_000_100, 10_000_000],
  ])('%d → %d', (missing, amount) => {
    expect(depositFor(missing)).toBe(amount);
  });

  it('exceeds it by less than a step and is a valid amount', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1_000_000_000 }), (missingKobo) => {
        const amount = depositFor(missingKobo / 100);
        expect(amount * 100).toBeGreaterThanOrEqual(missingKobo);
        expect(amount * 100 - missingKobo).toBeLessThan(100 * 100);
        expect(checkDeposit(String(amount)).isValid).toBe(true);
      }),
    );
  });
});
