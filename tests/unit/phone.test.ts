/** Compared with a complete library, which is too large for the app. */

import '#contract/phone-countries.ts';
import { readdirSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import parsePhoneNumber, {
  getCountries,
  getCountryCallingCode,
  getExampleNumber,
} from 'libphonenumber-js/max';
import parseBySmallest from 'libphonenumber-js/min';
import examples from 'libphonenumber-js/mobile/examples';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { phoneSchema } from '#contract/fields.ts';
import { isUnclear, readPhone } from '#contract/phone.ts';
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
    // Dialled from Nigeria, and with a country's own prefix after its code.
    ['009 234 803 123 4567', '+2348031234567'],
    ['009 44 20 7946 0958', '+442079460958'],
    ['0092 300 1234567', '+923001234567'],
    ['+44 020 7946 0958', '+442079460958'],
    ['+49 030 901820', '+4930901820'],
    ['+36 06 1 234 5678', '+3612345678'],
    ['+7 8 495 123 45 67', '+74951234567'],
    ['+39 06 6982', '+39066982'],
    ['+225 07 12 34 56 78', '+2250712345678'],
    // As links, labels and other keyboards write them.
    ['(+234) 803 123 4567', '+2348031234567'],
    ['+(234) 803 123 4567', '+2348031234567'],
    ['tel:+234-803-123-4567', '+2348031234567'],
    ['Phone: 0803 123 4567', '+2348031234567'],
    ['https://wa.me/2348031234567', '+2348031234567'],
    ['٠٨٠٣١٢٣٤٥٦٧', '+2348031234567'],
    ['۰۸۰۳ ۱۲۳ ۴۵۶۷', '+2348031234567'],
    ['＋２３４８０３１２３４５６７', '+2348031234567'],
    ['\u202a+234\u00a0803\u00a0123\u20114567\u202c', '+2348031234567'],
    ['\t0803 123 4567\r\n', '+2348031234567'],
  ])('%s is %s', (typed, phone) => {
    expect(readPhone(typed)).toBe(phone);
  });

  it.each([
    ...['', '+', '112', '0803', '0803 123 456', '0803 123 45678', '+234 803', '+234 0', '1234567'],
    ...['call me', '0803 123 4567 ext 2', '++234 803 123 4567', '0803 123 4567 or 0805 765 4321'],
    ...['+0803 123 4567', '9'.repeat(20)],
    // No such country, area, or number of this length.
    ...['008031234567', '+999 123 4567 89', '+210 123 45678', '+1 000 000 0000', '0600 123 4567'],
    // '009' and a number, or '00' and one of India, Azerbaijan or Jordan.
    ...['009 1 202 555 0143', '0091 81234 56789', '00994 40 123 45 67', '00962 7 9012 3456'],
    ...[
      '009 27 71 123 4567',
      '009-1-202-555-0143',
      '+44 20 7946 095',
      '+33 0 1 23 45 67',
      'tel:',
      '9'.repeat(100_000),
    ],
  ])('%j is none', (typed) => {
    expect(readPhone(typed)).toBeNull();
  });

  const none = 'Please enter a valid phone number, for example 0803 123 4567.';
  const unclear = 'Please begin with + and the country code, for example +234 803 123 4567.';
  const two = 'Please enter one number, for example 0803 123 4567.';

  it.each([
    ['0803 123 456', none],
    ['0803 123 4567 ext 2', none],
    ['9'.repeat(100_000), none],
    ['009 1 202 555 0143', unclear],
    ['0091 81234 56789', unclear],
    ['0803 123 4567 / 0805 765 4321', two],
    ['08031234567,08057654321', two],
    ['0803 123 4567 0805 765 4321', two],
    ['0803 123 4567 or +44 20 7946 0958', two],
    ['tel:08031234567\ntel:08057654321', two],
    ['٠٨٠٣١٢٣٤٥٦٧ ٠٨٠٥٧٦٥٤٣٢١', two],
  ])('%.40j is refused: %s', (typed, message) => {
    expect(v.safeParse(phoneSchema, typed).issues?.[0]?.message).toBe(message);
  });

  it('is judged by every form as by the server', () => {
    const folders = ['src/features', 'src/app'];
    const files = folders.flatMap((folder) =>
      readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((file) => `${folder}/${file}`),
    );
    const checks =
      /\b(check(NewPackage|PackageEdit|WizardStep|Profile|UserEdit|NewUser)|readShared)\(/;
    const forms = files.filter(
      (file) => /\.tsx?$/.test(file) && checks.test(readFileSync(file, 'utf8')),
    );
    expect(forms.length).toBeGreaterThan(3);
    const without = [...forms, 'server/app.ts'].filter(
      (file) => !readFileSync(file, 'utf8').includes("'#contract/phone-countries.ts'"),
    );
    expect(without).toEqual([]);
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

/** Codes of several countries. */
const isShared = (number: string) =>
  /^(1|7|39|44|47|61|212|262|290|358|590|599|8[0178]|979)/.test(number);

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

  it('what a country could have given out is read as the library reads it, and nothing else', () => {
    const digits = fc.stringMatching(/^[1-9]\d{7,14}$/);
    const codes = fc.constantFrom(
      ...getCountries().map((country) => getCountryCallingCode(country)),
    );
    const withCode = fc
      .tuple(codes, fc.stringMatching(/^\d{5,11}$/))
      .map((parts) => parts.join(''));
    let valid = 0;
    fc.assert(
      fc.property(fc.oneof(digits, withCode), (number) => {
        if (/^234|^\d{0,7}$|^\d{16}/.test(number)) return;
        const known = parseBySmallest(`+${number}`);
        const isKnown = known?.isPossible() === true && known.isValid();
        const read = readPhone(`+${number}`);
        if (isKnown && read !== null) valid += 1;
        // Of what several countries share, the library looks closer at which of them it is, and it
        // knows how the carriers and areas of some are dialled within them.
        if (isKnown && known.number === `+${number}`) expect(read, number).toBe(known.number);
        else if (isKnown) expect([known.number, null], number).toContain(read);
        else if (!isShared(number)) expect(read, number).toBeNull();
      }),
      { numRuns: 5000 },
    );
    expect(valid).toBeGreaterThan(300);
  });

  // All but two islands whose numbers have 7 digits with their code: a slip of the thumb is likelier.
  const countries = getCountries().filter((country) => !['TA', 'TK'].includes(country));

  it.each(countries)('numbers of %s are read with their code', (country) => {
    const example = getExampleNumber(country, examples);
    const international = example?.formatInternational();
    expect(readPhone(international ?? '')).toBe(example?.number);
    expect(readPhone(`${example?.number}`)).toBe(example?.number);
  });

  it.each(['00', '009'])('behind %s they are read, or refused where they are two', (plus) => {
    const unclear = countries.filter((country) => {
      const { number = '' } = getExampleNumber(country, examples) ?? {};
      const typed = number.replace('+', plus);
      const meanings = [typed.slice(2), typed.startsWith('009') ? typed.slice(3) : '']
        .map((digits) => parsePhoneNumber(`+${digits}`))
        .filter((one) => one?.isValid());
      if (meanings.length > 1) expect(readPhone(typed), typed).toBeNull();
      if (isUnclear(typed)) expect(readPhone(typed), typed).toBeNull();
      else expect(readPhone(typed), typed).toBe(number);
      return isUnclear(typed);
    });
    // Behind '00' only of codes that begin with a 9.
    if (plus === '00') expect(unclear).toEqual(['AZ', 'GE', 'IN', 'JO', 'TJ']);
    else expect(unclear).not.toContain('NG');
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
