/** Compared with a complete library, which is too large for the app. */

import fc from 'fast-check';
import parsePhoneNumber, { getCountries, getExampleNumber } from 'libphonenumber-js/max';
import examples from 'libphonenumber-js/mobile/examples';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { phoneSchema } from '#contract/fields.ts';
import { readPhone } from '#contract/phone.ts';
import { showPhone } from '#domain/contact-links.ts';

describe('a phone number', () => {
  it.each([
    // Mobile, however it is written.
    ['0803 123 4567', '+2348031234567'],
    ['08031234567', '+2348031234567'],
    ['0701-234-5678', '+2347012345678'],
    ['(0911) 123.4567', '+2349111234567'],
    ['816 123 4567', '+2348161234567'],
    ['2348031234567', '+2348031234567'],
    ['23408031234567', '+2348031234567'],
    ['+234 803 123 4567', '+2348031234567'],
    ['+234 (0) 803 123 4567', '+2348031234567'],
    ['00234 803 123 4567', '+2348031234567'],
    // Fixed: Lagos and Kano.
    ['0201 270 1234', '+2342012701234'],
    ['+234 2064 123 456', '+2342064123456'],
    // Other countries.
    ['+227 90 12 34 56', '+22790123456'],
    ['+44 20 7946 0958', '+442079460958'],
    ['+44 (0)20 7946 0958', '+442079460958'],
    ['0044 20 7946 0958', '+442079460958'],
    ['+1 (202) 555-0142', '+12025550142'],
  ])('%s is %s', (typed, phone) => {
    expect(readPhone(typed)).toBe(phone);
  });

  it.each([
    ...['', '+', '112', '0803', '0803 123 456', '0803 123 45678', '+234 803', '+234 0', '1234567'],
    ...['call me', '0803 123 4567 ext 2', '++234 803 123 4567', '0803 123 4567 or 0805 765 4321'],
    ...['+0803 123 4567', '9'.repeat(20), '٠٨٠٣١٢٣٤٥٦٧'],
  ])('%j is none', (typed) => {
    expect(readPhone(typed)).toBeNull();
  });

  it('that cannot be one is refused with an example', () => {
    const [issue] = v.safeParse(phoneSchema, '0803 123 456').issues ?? [];
    expect(issue?.message).toBe('Please enter a valid phone number, for example 0803 123 4567.');
  });
});

/** Between the digits of a number, as people write it. */
const separator = fc.constantFrom('', ' ', '-', '.', ' - ');

function written(digits: string, separators: readonly string[]): string {
  return [...digits].map((digit, at) => digit + (separators[at] ?? '')).join('');
}

const separators = fc.array(separator, { maxLength: 10 });
const nigerian = fc.tuple(
  fc.constantFrom('0', '', '+234', '+2340', '00234', '234'),
  fc.stringMatching(/^(?:[789][01]\d{8}|20[1-9]\d{7})$/),
  separators,
);

describe('compared with libphonenumber', () => {
  it('every valid Nigerian number is read the same, and shown as it is written here', () => {
    let valid = 0;
    fc.assert(
      fc.property(nigerian, ([prefix, number, gaps]) => {
        const whole = parsePhoneNumber(`+234${number}`);
        if (!whole?.isValid()) return;
        valid += 1;
        expect(readPhone(`${prefix}${written(number, gaps)}`)).toBe(whole.number);
        expect(showPhone(whole.number).replaceAll(' ', '')).toBe(`0${number}`);
        const national = whole.formatNational();
        if (whole.getType() === 'MOBILE') expect(showPhone(whole.number)).toBe(national);
      }),
      { numRuns: 500 },
    );
    expect(valid).toBeGreaterThan(100);
  });

  // All but two islands whose numbers have 7 digits with their code: a slip of the thumb is likelier.
  const countries = getCountries().filter((country) => !['TA', 'TK'].includes(country));

  it.each(countries)('numbers of %s are read with their code', (country) => {
    const example = getExampleNumber(country, examples);
    const [international, dialled] = [example?.formatInternational(), example?.number.slice(1)];
    for (const typed of [international, `+${dialled}`, `00${dialled}`]) {
      expect(readPhone(typed ?? '')).toBe(example?.number);
    }
  });
});

describe('reading and showing', () => {
  it('what was read is read again as itself, and what is shown as the number it shows', () => {
    const digits = fc.stringMatching(/^\+?[\d ().-]{6,20}$/);
    fc.assert(
      fc.property(digits, (typed) => {
        const phone = readPhone(typed);
        if (phone === null) return;
        expect(phone).toMatch(/^\+[1-9]\d{7,14}$/);
        expect(readPhone(phone)).toBe(phone);
        expect(readPhone(showPhone(phone))).toBe(phone);
      }),
    );
  });

  it.each([
    ['+2348031234567', '0803 123 4567'],
    ['08031234567', '0803 123 4567'],
    ['+442079460958', '+442079460958'],
    ['by the mosque', 'by the mosque'],
    ['', ''],
  ])('%s is shown as %s', (stored, shown) => {
    expect(showPhone(stored)).toBe(shown);
  });
});
