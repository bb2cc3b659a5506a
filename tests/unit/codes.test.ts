import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isCode, withCheckDigit } from '#domain/codes.ts';

describe('a code', () => {
  const five = fc.integer({ min: 0, max: 99_999 }).map((number) => String(number).padStart(5, '0'));
  const place = fc.integer({ min: 0, max: 5 });

  it('has the check digit that Damm’s algorithm gives', () => {
    expect(withCheckDigit('572')).toBe('5724');
    expect(isCode('00572')).toBe(false);
  });

  it('is recognised, and no code with one other digit or two swapped is', () => {
    fc.assert(
      fc.property(five, place, fc.integer({ min: 1, max: 9 }), (digits, at, more) => {
        const code = withCheckDigit(digits);
        expect(isCode(code)).toBe(true);
        const changed = [...code];
        changed[at] = String((Number(changed[at]) + more) % 10);
        expect(isCode(changed.join(''))).toBe(false);
        const swapped = [...code];
        const next = Math.min(at + 1, 5);
        [swapped[at], swapped[next]] = [swapped[next] ?? '', swapped[at] ?? ''];
        expect(isCode(swapped.join(''))).toBe(swapped.join('') === code);
      }),
      { numRuns: 2000 },
    );
  });

  it.each(['', '12345', '1234567', '12a456', '１２３４５６', ' 123450'])('is not %j', (text) => {
    expect(isCode(text)).toBe(false);
  });
});
