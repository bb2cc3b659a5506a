/** Amounts as people type them: understood, asked about, or not an amount. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { amountDoubt, readAmount, typedPrice } from '#domain/amount.ts';
import { formatNaira, nairaToKobo } from '#domain/money.ts';

describe('an amount', () => {
  it.each([
    ['1500', 1500],
    ['1500 naira', 1500],
    ['₦1,500', 1500],
    ['#1500', 1500],
    ['N1500', 1500],
    ['NGN 1500', 1500],
    ['1500NGN', 1500],
    ['2,500 naira only', 2500],
    ['1500.', 1500],
    ['1,500/=', 1500],
    ['1500/-', 1500],
    ['2k', 2000],
    ['2 K', 2000],
    ['1.5k', 1500],
    ['2.5m', 2_500_000],
    ['3 million', 3_000_000],
    ['1 500', 1500],
    ['1\u00a0500\u202f', 1500],
    ['₦ 1 234 567.50', 1_234_567.5],
    ['1\u2019500', 1500],
    ['١٥٠٠', 1500],
    ['١٬٥٠٠٫٥٠', 1500.5],
    ['۱۵۰۰', 1500],
    ['１５００', 1500],
    ['\u202a₦1,500.00\u202c', 1500],
    ['.5', 0.5],
    ['12.50', 12.5],
    ['-5', -5],
    ['−₦500', -500],
    ['₦-500', -500],
    ['+500', 500],
    ['12 500', 12_500],
    ['500,600', 500_600],
    ['1500k', 1_500_000],
    ['1.25m', 1_250_000],
    ['.5k', 500],
    ['0.50', 0.5],
    ['0', 0],
  ])('%j is %d naira', (text, naira) => {
    expect(readAmount(text)).toEqual({ kind: 'amount', naira });
    expect(typedPrice(text)).toBe(naira);
    expect(amountDoubt(text)).toBeNull();
  });

  it.each([
    ['1.500', '₦1,500'],
    ['₦1.500', '₦1,500'],
    ['1.500.000', '₦1,500,000'],
    ['2.500,00', '₦2,500'],
    ['1500,00', '₦1,500'],
    ['1,5', '₦1.50'],
    ['1,50,000', '₦150,000'],
    ['1.500k', '₦1,500'],
    ['1,5k', '₦1,500'],
    ['-1.500', '−₦1,500'],
    ['١.٥٠٠', '₦1,500'],
    ['1.5000', '₦15,000'],
    ['2,5000', '₦25,000'],
    ['1500.000', '₦1,500,000'],
    ['12.3456', '₦123,456'],
    ['.500', '₦500'],
    ['2,500k', '₦2,500'],
    ['1,500 thousand', '₦1,500'],
    ['1,250m', '₦1,250,000'],
    ['500 600', '₦500,600'],
    ['100 000', '₦100,000'],
    ['500\u00A0600', '₦500,600'],
  ])('%s is asked about: did you mean %s?', (text, meant) => {
    expect(typedPrice(text)).toBeNaN();
    expect(amountDoubt(text)).toBe(`Did you mean ${meant}? You typed ${text}.`);
  });

  it.each([
    ...['ten', '1e3', '0x1F4', '.', 'N', 'k', '500 💸', '<b>500</b>', '1500-2000', '1500 2000'],
    ...['1500⁰⁰', '1500¹', '1½', '①', '1500₀', '500, 600', '500 ,600', '500. 600', '1, 500'],
    ...['500\t600', '1\t500', '1\n500', '1\r\n500', '100 200 300', '500 600k', '20 500k'],
    ...['₦1,500.50k', "1'500k", '0,500', "0'500", '0 500', '0500', '08031234567', '1,500.5000'],
    ...['1500 or 2000', '5000-', '1,500 dollars', '0.500', '9.999.999.999.999.999.999', '12:30'],
  ])('%s is none', (text) => {
    expect(readAmount(text)).toEqual({ kind: 'unreadable' });
    expect(typedPrice(text)).toBeNaN();
  });

  it.each(['', ' ', '\u200e\n'])('%j is nothing typed', (text) => {
    expect(typedPrice(text)).toBeUndefined();
  });

  it('as the app shows it is read as itself', () => {
    fc.assert(
      fc.property(fc.integer({ min: -1_000_000_000, max: 1_000_000_000 }), (kobo) => {
        const read = readAmount(formatNaira(kobo));
        expect(read.kind === 'amount' && nairaToKobo(read.naira)).toBe(kobo);
      }),
    );
  });

  it('never throws', () => {
    const near = fc.string({ unit: fc.constantFrom(...'0123456789.,k ₦N-/=m') });
    fc.assert(
      fc.property(fc.oneof(near, fc.string()), (text) => {
        readAmount(text);
        amountDoubt(text);
      }),
    );
  });
});
