import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatNaira, koboToNaira, nairaToKobo, shareKoboOf } from '#domain/money.ts';

describe('money', () => {
  it('preserves every kobo through naira and back', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 1e13 }), (kobo) => {
        expect(nairaToKobo(koboToNaira(kobo))).toBe(kobo);
      }),
    );
  });

  it('rounds floating-point errors', () => {
    expect(nairaToKobo(0.1 + 0.2)).toBe(30);
    expect(nairaToKobo(1.005)).toBe(100);
  });

  it.each([Number.NaN, Number.POSITIVE_INFINITY, 1e20])('refuses %s', (naira) => {
    expect(() => nairaToKobo(naira)).toThrow(RangeError);
  });

  it.each([
    [150_000, 100, 150_000],
    [150_000, 0, 0],
    [150_000, 70, 105_000],
    [101, 50, 51],
    [99, 33, 33],
    [1, 49, 0],
    [0, 50, 0],
  ])('of %d kobo, %d %% is %d kobo', (amountKobo, percent, share) => {
    expect(shareKoboOf(amountKobo, percent)).toBe(share);
  });

  it.each([
    [150_000, '₦1,500'],
    [150_050, '₦1,500.50'],
    [0, '₦0'],
    [-10_000, '−₦100'],
    [1_234_567_800, '₦12,345,678'],
  ])('%d kobo is formatted as %s', (kobo, text) => {
    expect(formatNaira(kobo)).toBe(text);
  });

  it('is formatted as by Intl for Nigeria', () => {
    fc.assert(
      fc.property(fc.maxSafeInteger(), (kobo) => {
        const digits = kobo % 100 === 0 ? 0 : 2;
        const written = new Intl.NumberFormat('en-NG', {
          minimumFractionDigits: digits,
          maximumFractionDigits: digits,
        });
        // As a decimal string: a number of naira cannot hold the last kobo of the largest amounts.
        const [whole, rest] = [Math.trunc(Math.abs(kobo) / 100), Math.abs(kobo) % 100];
        const naira = `${whole}.${String(rest).padStart(2, '0')}` as unknown as number;
        expect(formatNaira(kobo)).toBe(`${kobo < 0 ? '−' : ''}₦${written.format(naira)}`);
      }),
    );
  });
});
