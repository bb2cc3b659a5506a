/** Form validation: each specified message, and input no form may accept. */
import '#contract/phone-countries.ts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { emptyPackageForm, type PackageForm } from '#domain/package-fields.ts';
import {
  checkNewPackage,
  checkPackageEdit,
  checkWizardStep,
  typedKobo,
} from '#domain/package-form.ts';
import {
  checkChosenPassword,
  checkLogin,
  checkPasswordChange,
  checkProfile,
  checkSignUp,
} from '#domain/validation.ts';

const form: PackageForm = {
  ...emptyPackageForm,
  pickupAddress: '12 Kofar Mata Road, Kano',
  deliveryAddress: '4 Zoo Road, Kano',
  recipientName: 'Musa Ibrahim',
  recipientPhone: '0805 765 4321',
  description: 'Two bolts of indigo cloth',
  pickupDate: '2026-11-22T09:00',
  priceOffer: '1,500',
  paymentMethod: 'cash',
  handover: 'code',
};

const messageOf = (result: { isValid: boolean; message?: string }) =>
  result.isValid ? 'valid' : result.message;

describe('sign-in', () => {
  it.each([
    '',
    'amina',
    'amina@',
    '@kaya.test',
    'amina@kaya',
    'a b@kaya.test',
  ])('%j: refused', (email) => {
    const message = messageOf(checkLogin({ email, password: 'x' }));
    expect(message).toBe('Please enter a valid email address.');
  });

  it.each([
    [' Amina@Kaya.TEST ', 'amina@kaya.test'],
    ['mailto:amina@kaya.test', 'amina@kaya.test'],
    ['MAILTO:amina@kaya.test?subject=Hi', 'amina@kaya.test'],
    ['\u202aamina@kaya.test\u202c', 'amina@kaya.test'],
    ['ami\u0301na@kaya.test', 'am\u00edna@kaya.test'],
    // Letters whose small form alone has one code.
    ['J\u030co@kaya.test', '\u01f0o@kaya.test'],
    ['H\u0331o@kaya.test', '\u1e96o@kaya.test'],
    ['W\u030aT\u0308Y\u030a@kaya.test', '\u1e98\u1e97\u1e99@kaya.test'],
  ])('reads the e-mail %j and leaves the password unchanged', (email, read) => {
    expect(checkLogin({ email, password: ' Pass ' })).toEqual({
      isValid: true,
      value: { email: read, password: ' Pass ' },
    });
  });
});

describe('sign-up', () => {
  const whole = {
    email: 'Amina@kaya.test',
    role: 'Employee',
    password: 'longenough',
    confirmPassword: 'longenough',
  };

  it.each([
    [{ email: 'amina' }, 'Please enter a valid email address.'],
    [
      { password: '1234567', confirmPassword: '1234567' },
      'Password must be at least 8 characters.',
    ],
    [{ confirmPassword: 'different' }, 'Passwords do not match.'],
    [{ role: '' }, 'Required fields are missing.'],
    [{ role: 'Admin' }, 'Required fields are missing.'],
  ])('with %j: %s', (changes, message) => {
    expect(messageOf(checkSignUp({ ...whole, ...changes }))).toBe(message);
  });

  it('reports a short password together with the mismatch', () => {
    expect(checkSignUp({ ...whole, password: 'short' })).toMatchObject({
      fields: {
        password: 'Password must be at least 8 characters.',
        confirmPassword: 'Passwords do not match.',
      },
    });
  });

  it('returns the specified payload', () => {
    expect(checkSignUp(whole)).toEqual({
      isValid: true,
      value: { email: 'amina@kaya.test', role: 'Employee', password: 'longenough' },
    });
  });
});

describe('changing the password', () => {
  it.each([
    ['', '', 'New password is required'],
    ['12345', '12345', 'Password must be at least 6 characters'],
    ['123456', '123457', 'Passwords do not match'],
    ['123456', '123456', 'valid'],
  ])('%j and %j: %s', (password, confirmPassword, message) => {
    expect(messageOf(checkPasswordChange({ password, confirmPassword }))).toBe(message);
  });
});

it.each([
  ['', 'Password must be at least 8 characters.'],
  ['1234567', 'Password must be at least 8 characters.'],
  ['12345678', 'valid'],
])('%j by a mailed link: %s', (password, message) => {
  expect(messageOf(checkChosenPassword(password))).toBe(message);
});

describe('the wizard', () => {
  it.each([
    ['1,500.50', 150_050],
    ['', 0],
    ['1e5', 0],
    ['99999999999999999999', 0],
  ])('reads the price typed so far: %j is %i kobo', (text, kobo) => {
    expect(typedKobo(text)).toBe(kobo);
  });

  it.each([
    [0, { pickupAddress: '' }, 'Please fill in both pickup and delivery addresses.'],
    [0, { deliveryAddress: '   ' }, 'Please fill in both pickup and delivery addresses.'],
    [1, { recipientName: '' }, 'Please fill in recipient name and phone number.'],
    [1, { recipientPhone: '' }, 'Please fill in recipient name and phone number.'],
    [2, { description: '' }, 'Please fill in description and pickup date.'],
    [2, { pickupDate: '' }, 'Please fill in description and pickup date.'],
    [3, { priceOffer: '' }, 'Required fields are missing.'],
    [3, { paymentMethod: '' }, 'Required fields are missing.'],
  ] as const)('step %d with %j: %s', (step, changes, message) => {
    expect(messageOf(checkWizardStep(step, { ...form, ...changes }))).toBe(message);
  });

  it("validates only the current step's fields, and no empty optional ones", () => {
    const later = { ...form, priceOffer: '', description: '' };
    for (const step of [0, 1]) expect(checkWizardStep(step, later).isValid).toBe(true);
    for (const step of [2, 3]) expect(checkWizardStep(step, form).isValid).toBe(true);
  });

  it.each([
    [1, { recipientEmail: 'not-an-email' }, 'recipientEmail'],
    [1, { recipientPhone: 'call me' }, 'recipientPhone'],
    [2, { deliveryDate: '2026-11-21T09:00' }, 'deliveryDate'],
    [2, { pickupDate: 'tomorrow' }, 'pickupDate'],
    [1, { recipientEmail: 'musa\u200d@kaya.test' }, 'recipientEmail'],
    [0, { pickupAddress: 'x'.repeat(301) }, 'pickupAddress'],
  ] as const)('step %d with %j is refused at %s', (step, changes, field) => {
    const result = checkWizardStep(step, { ...form, ...changes });
    expect(result.isValid ? {} : result.fields).toHaveProperty(field);
  });

  it('reports a delivery before the pickup at its own step, though later steps are empty', () => {
    const early = { ...form, deliveryDate: '2026-11-21T09:00', priceOffer: '', paymentMethod: '' };
    expect(messageOf(checkWizardStep(2, early))).toBe(
      'The delivery date must not be before the pickup date.',
    );
    expect(checkWizardStep(1, early).isValid).toBe(true);
  });

  /** How amounts are read: amount.test.ts. */
  it.each(['-5', '0', '1.005', 'ten', '99999999999'])('refuses the price %s', (priceOffer) => {
    const result = checkWizardStep(3, { ...form, priceOffer });
    expect(result.isValid ? {} : result.fields).toHaveProperty('priceOffer');
  });

  it.each([
    ['₦2,500', 2500],
    ['0.01', 0.01],
    ['2k', 2000],
  ])('parses the price %s', (typed, priceOffer) => {
    expect(checkNewPackage({ ...form, priceOffer: typed })).toMatchObject({
      value: { priceOffer },
    });
  });

  it.each([
    ['1.500', 'Did you mean ₦1,500? You typed 1.500.'],
    ['ten', 'Must be an amount, such as 1500 or 2500.50.'],
  ])('asks about the price %s: %s', (priceOffer, message) => {
    const complaint = { isValid: false, message, fields: { priceOffer: message } };
    expect(checkNewPackage({ ...form, priceOffer })).toEqual(complaint);
    expect(checkWizardStep(3, { ...form, priceOffer })).toEqual(complaint);
    expect(checkPackageEdit(form, { ...form, priceOffer })).toEqual(complaint);
  });

  it('cleans what is pasted, and asks nobody to type it again', () => {
    const pasted = {
      recipientName: '\u2068Musa\tIbrahim\u2069\r\n',
      pickupAddress: '\u200e12 Kofar\u00a0Mata Road,\nKano\u0000',
      notes: 'Gate 2\r\n\u200fnear the\u00a0mosque',
      recipientEmail: 'mailto:Musa\u200b@Kaya.test',
    };
    expect(checkNewPackage({ ...form, ...pasted })).toMatchObject({
      value: {
        recipientName: 'Musa Ibrahim',
        pickupAddress: '12 Kofar Mata Road, Kano',
        notes: 'Gate 2\nnear the mosque',
        recipientEmail: 'musa@kaya.test',
      },
    });
  });

  it('returns a valid body: numbers, ISO dates in UTC, null for empty fields', () => {
    const { pickupLocation: _, deliveryLocation: __, ...typed } = form;
    expect(checkNewPackage(form)).toEqual({
      isValid: true,
      value: {
        ...typed,
        recipientPhone: '+2348057654321',
        recipientEmail: null,
        pickupDate: '2026-11-22T08:00:00.000Z',
        deliveryDate: null,
        priceOffer: 1500,
        notes: null,
      },
    });
  });

  it('never throws, for any input', () => {
    const anything = fc.record(
      Object.fromEntries(
        Object.entries(form).map(([name, value]) => [
          name,
          typeof value === 'boolean' ? fc.boolean() : fc.string({ unit: 'binary' }),
        ]),
      ) as { [Name in keyof PackageForm]: fc.Arbitrary<PackageForm[Name]> },
    );
    fc.assert(
      fc.property(anything, (typed) => {
        checkNewPackage(typed);
        for (const step of [0, 1, 2, 3]) checkWizardStep(step, typed);
      }),
    );
  });
});

describe('editing a package', () => {
  const withEmail = { ...form, recipientEmail: 'musa@kaya.test' };
  const withheld = { ...form, recipientPhone: '' };
  const dated = { ...form, deliveryDate: '2026-11-23T09:00' };

  it.each<[string, PackageForm, Partial<PackageForm>, object | null]>([
    [
      'sends only changed fields',
      form,
      { priceOffer: '2000', notes: 'Gate 2' },
      { priceOffer: 2000, notes: 'Gate 2' },
    ],
    ['sends nothing unchanged', form, {}, {}],
    [
      'clears an optional field with null',
      withEmail,
      { recipientEmail: '' },
      { recipientEmail: null },
    ],
    ['accepts what was missing before', withheld, { notes: 'Gate 2' }, { notes: 'Gate 2' }],
    ['refuses to clear a required field', form, { description: ' ' }, null],
    ['refuses a delivery before the pickup', dated, { pickupDate: '2026-11-24T09:00' }, null],
  ])('%s', (_, before, changes, value) => {
    const result = checkPackageEdit(before, { ...before, ...changes });
    if (value === null) expect(result.isValid).toBe(false);
    else expect(result).toEqual({ isValid: true, value });
  });

  it('reports what is wrong together with what is missing', () => {
    expect(checkPackageEdit(form, { ...form, recipientName: ' ', priceOffer: '-3' })).toMatchObject(
      {
        message: 'Required fields are missing.',
        fields: { recipientName: 'This field is required.', priceOffer: expect.any(String) },
      },
    );
  });
});

describe('the profile', () => {
  const profile = {
    firstName: 'Amina',
    lastName: 'Bello',
    email: 'amina@kaya.test',
    phoneNumber: '0803 123 4567',
    address: '',
  };

  it.each(['firstName', 'lastName', 'email', 'phoneNumber'])('requires %s', (field) => {
    const result = checkProfile({ ...profile, [field]: ' ' });
    expect(result.isValid ? {} : result.fields).toHaveProperty(field);
  });

  it('accepts an empty address', () => {
    const value = { ...profile, phoneNumber: '+2348031234567', address: null };
    expect(checkProfile(profile)).toEqual({ isValid: true, value });
  });
});
