/** Values accepted and refused on the wire, and the conversion between the two package shapes. */
import fc from 'fast-check';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { errorCatalogue } from '#contract/errors.ts';
import { dateTimeSchema, locationSchema, priceSchema } from '#contract/fields.ts';
import { createPackageSchema, packageSchema, patchPackageSchema } from '#contract/package.ts';
import { pathOf, routes } from '#contract/routes.ts';
import { packageFromWire, packageToWire } from '#domain/package.ts';
import { fieldMessages } from '#domain/validation.ts';
import { ids, wirePackage } from '#tests/builders/package.ts';

const body = {
  senderId: ids.sender,
  pickupAddress: '12 Kofar Mata Road, Kano',
  deliveryAddress: '4 Zoo Road, Kano',
  recipientName: 'Musa Ibrahim',
  recipientPhone: '0805 765 4321',
  recipientEmail: '',
  description: 'Two bolts of indigo cloth',
  deliveryDate: '',
  pickupDate: '2026-11-22T09:00',
  priceOffer: 1500,
  paymentMethod: 'cash',
};

const complaints = (schema: v.GenericSchema, value: unknown) => {
  const result = v.safeParse(schema, value);
  return result.success ? {} : fieldMessages(result.issues);
};

describe('a package', () => {
  it('converts to the domain shape and back unchanged', () => {
    for (const wire of [
      wirePackage(),
      wirePackage({ pickupLocation: { lat: 12.0022, lng: 8.5919 } }),
      wirePackage({ priceOffer: 1500.5, deliveryStatus: 'In Transit', recipientPhone: null }),
    ]) {
      expect(packageToWire(packageFromWire(v.parse(packageSchema, wire)))).toEqual(wire);
    }
  });

  it('has no pins from a server without them', () => {
    const { pickupLocation: _, deliveryLocation: __, ...rest } = wirePackage();
    const inner = packageFromWire(v.parse(packageSchema, rest));
    expect([inner.pickupLocation, inner.deliveryLocation]).toEqual([null, null]);
  });

  it('without a delivery status or a payment status is pending and unpaid', () => {
    const { deliveryStatus: _, paymentStatus: __, ...rest } = wirePackage();
    const inner = packageFromWire(v.parse(packageSchema, rest));
    expect([inner.status, inner.paymentStatus]).toEqual(['pending', 'unpaid']);
  });
});

describe('the body of a create', () => {
  it('has the specified shape; empty optional text becomes null', () => {
    expect(v.parse(createPackageSchema, body)).toMatchObject({
      recipientEmail: null,
      deliveryDate: null,
      pickupDate: '2026-11-22T08:00:00.000Z',
    });
  });

  it.each([
    ['an unknown field', { deliveryStatus: 'Delivered' }, 'deliveryStatus'],
    ['a price as text', { priceOffer: '1500' }, 'priceOffer'],
    ['a negative price', { priceOffer: -1 }, 'priceOffer'],
    ['a price of NaN', { priceOffer: Number.NaN }, 'priceOffer'],
    ['an address of spaces', { pickupAddress: '   ' }, 'pickupAddress'],
    ['control characters', { recipientName: 'Mu\u0007sa' }, 'recipientName'],
    ...['\u200b', '\u2060\u2060', '\u3164', '\u2800 \u00ad', '\u200e\u200f'].map(
      (text): [string, object, string] => [
        ...(['a name of which nothing is seen', { recipientName: text }, 'recipientName'] as const),
      ],
    ),
    ['a description of which nothing is seen', { description: '\u200b\n\u3164' }, 'description'],
    ['text that turns around', { pickupAddress: 'Kano \u202eonaK' }, 'pickupAddress'],
    ['half a character', { notes: 'Ring \ud83c' }, 'notes'],
    ['a line break in a name', { recipientName: 'Mu\nsa' }, 'recipientName'],
    ['an address of 10,000 characters', { deliveryAddress: 'x'.repeat(10_000) }, 'deliveryAddress'],
    ['an unknown method', { paymentMethod: 'barter' }, 'paymentMethod'],
    ['an invalid id', { _id: '42' }, '_id'],
    ['no description', { description: undefined }, 'description'],
    ['a pin beyond the pole', { pickupLocation: { lat: 90.5, lng: 0 } }, 'pickupLocation'],
    ['a pin with more to it', { deliveryLocation: { lat: 1, lng: 2, z: 3 } }, 'deliveryLocation'],
  ])('with %s is refused by field', (_, changes, field) => {
    expect(Object.keys(complaints(createPackageSchema, { ...body, ...changes }))).toEqual([field]);
  });

  it('needs no pins and treats null as none', () => {
    expect(v.parse(createPackageSchema, body)).not.toHaveProperty('pickupLocation');
    const withNone = { ...body, pickupLocation: null };
    expect(v.parse(createPackageSchema, withNone)).toMatchObject({ pickupLocation: null });
  });

  it('keeps marks and joiners within visible text', () => {
    const recipientName = '\u200eMusa \u{1F468}\u200D\u{1F33E}';
    expect(v.parse(createPackageSchema, { ...body, recipientName })).toMatchObject({
      recipientName,
    });
  });

  it.each([null, [], 'text', 42])('%j is refused', (value) => {
    expect(v.safeParse(createPackageSchema, value).success).toBe(false);
  });
});

describe('the body of a patch', () => {
  it('is any subset of it, and nothing else', () => {
    expect(
      complaints(patchPackageSchema, { deliveryPersonId: null, deliveryStatus: 'Pending' }),
    ).toEqual({});
    expect(complaints(patchPackageSchema, {})).toEqual({});
    expect(Object.keys(complaints(patchPackageSchema, { senderId: ids.sender }))).toEqual([
      'senderId',
    ]);
  });
});

describe('moments', () => {
  it.each([
    ['2026-11-22T08:00:00Z', '2026-11-22T08:00:00.000Z'],
    ['2026-11-22T09:00:00+01:00', '2026-11-22T08:00:00.000Z'],
    ['2026-11-22T09:00', '2026-11-22T08:00:00.000Z'],
    ['2026-11-22', '2026-11-21T23:00:00.000Z'],
  ])('%s is %s', (text, iso) => {
    expect(v.parse(dateTimeSchema, text)).toBe(iso);
  });

  it.each([
    '',
    'now',
    '2026-13-01',
    '2026-02-30T10:00Z',
    '2026-11-31',
    '0001-01-01T00:00Z',
    '99999-01-01',
  ])('%j is invalid', (text) => {
    expect(v.safeParse(dateTimeSchema, text).success).toBe(false);
  });

  it('never throws', () => {
    fc.assert(fc.property(fc.string(), (text) => void v.safeParse(dateTimeSchema, text)));
  });
});

describe('places', () => {
  it.each([
    [
      { lat: 12.002_200_4, lng: 8.591_899_6 },
      { lat: 12.0022, lng: 8.5919 },
    ],
    [
      { lat: -90, lng: 180 },
      { lat: -90, lng: 180 },
    ],
    [
      { lat: -1e-9, lng: 1e-9 },
      { lat: 0, lng: 0 },
    ],
  ])('%o is %o', (given, kept) => {
    expect(JSON.stringify(v.parse(locationSchema, given))).toBe(JSON.stringify(kept));
    expect(Object.is(v.parse(locationSchema, given).lat, kept.lat)).toBe(true);
  });

  it.each([
    [{ lat: 90.000_001, lng: 0 }, 'Must be from -90 to 90 degrees.'],
    [{ lat: 0, lng: -180.000_001 }, 'Must be from -180 to 180 degrees.'],
    [{ lat: Number.NaN, lng: 0 }, 'Must be a place on the map'],
    [{ lat: Number.POSITIVE_INFINITY, lng: 0 }, 'Must be from -90 to 90 degrees.'],
    [{ lat: '12', lng: 8 }, 'Must be a place on the map'],
    [{ lat: 12 }, 'Must be a place on the map'],
    [{ lat: 12, lng: 8, alt: 480 }, 'Must be a place on the map'],
    [[12, 8], 'Must be a place on the map'],
    ['12, 8', 'Must be a place on the map'],
  ])('%j is invalid, with a reason', (given, sentence) => {
    const { pickupLocation } = complaints(patchPackageSchema, { pickupLocation: given });
    expect(pickupLocation).toContain(sentence);
  });
});

describe('prices', () => {
  it('have at most two decimals', () => {
    expect(v.safeParse(priceSchema, 0.01).success).toBe(true);
    expect(v.safeParse(priceSchema, 1.15).success).toBe(true);
    expect(v.safeParse(priceSchema, 0.001).success).toBe(false);
    expect(v.safeParse(priceSchema, 1e-9).success).toBe(false);
    expect(v.safeParse(priceSchema, 0).success).toBe(false);
    expect(v.safeParse(priceSchema, Number.POSITIVE_INFINITY).success).toBe(false);
  });
});

describe('routes and errors', () => {
  it('escape the id in the path', () => {
    expect(pathOf(routes.getPackage.path, { id: 'a/b' })).toBe('/api/packages/a%2Fb');
  });

  it('every refusal has a 4xx or 5xx and a message', () => {
    for (const [code, { status, message }] of Object.entries(errorCatalogue)) {
      expect(status, code).toBeGreaterThanOrEqual(400);
      expect(message.length, code).toBeGreaterThan(10);
    }
  });
});
