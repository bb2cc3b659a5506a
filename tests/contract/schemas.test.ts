/** Values accepted and refused on the wire, and the conversion between the two package shapes. */
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import {
  dateTimeSchema,
  emailSchema,
  locationSchema,
  noneOr,
  paragraph,
  priceSchema,
} from '#contract/fields.ts';
import { createPackageSchema, packageSchema, patchPackageSchema } from '#contract/package.ts';
import { pathOf, routes } from '#contract/routes.ts';
import { overlayPackage } from '#domain/overlay.ts';
import {
  newPackage,
  type Package,
  packageFromWire,
  packageToWire,
  storedPackage,
} from '#domain/package.ts';
import { fieldNames } from '#domain/package-fields.ts';
import { factsOf } from '#domain/policy.ts';
import { parseStatus, statusLabel } from '#domain/status.ts';
import { fieldMessages } from '#domain/validation.ts';
import { errorCatalogue } from '#server/http/error-catalogue.ts';
import { createBody as body, ids, party, wirePackage } from '#tests/builders/package.ts';
import { patchValues } from '#tests/builders/patch-values.ts';
import { allowedBy } from './json-schema-values.ts';
import { document } from './open-api.ts';
import contract1 from './spoken/contract-1.json' with { type: 'json' };

const complaints = (schema: v.GenericSchema, value: unknown) => {
  const result = v.safeParse(schema, value);
  return result.success ? {} : fieldMessages(result.issues);
};

describe('a package', () => {
  const inner = (wire: unknown) => packageFromWire(v.parse(packageSchema, wire));

  it('converts to the domain shape and back unchanged, and so do its facts', () => {
    const schema = document.components.schemas.Package;
    if (!schema) throw new Error('No schema of a package.');
    fc.assert(
      fc.property(allowedBy(schema, document), (value) => {
        const wire = v.parse(packageSchema, value);
        // Any spelling is read, one is written.
        const deliveryStatus = statusLabel(parseStatus(wire.deliveryStatus) ?? 'pending');
        const pkg = packageFromWire(wire);
        expect(packageToWire(pkg)).toEqual({ ...wire, deliveryStatus });
        expect(storedPackage(pkg)).toMatchObject(factsOf(pkg));
      }),
    );
  });

  const values = patchValues([], 7);
  it.each(fieldNames)('that is new has %s as its request has it', (name) => {
    for (const value of values[name]) {
      const asked = v.parse(createPackageSchema, { ...body, [name]: value });
      const {
        senderId,
        courierId: _,
        ...created
      } = newPackage(asked, {
        id: ids.package,
        senderId: ids.sender,
        at: '2026-11-21T09:00:00.000Z',
      });
      const wire = packageToWire({ ...created, sender: party(senderId), courier: null });
      expect(wire[name]).toEqual(value);
    }
  });

  // Each field that is added later has one.
  const defaults = Object.entries(packageSchema.entries).flatMap(([field, schema]) =>
    v.getDefault(schema as v.GenericSchema) === undefined ? [] : [field],
  );

  it('without the fields that have a default shows these, pulled or mirrored', () => {
    expect(defaults).toEqual(expect.arrayContaining(['pickupLocation', 'attempts']));
    const without = (row: object) =>
      Object.fromEntries(Object.entries(row).filter(([field]) => !defaults.includes(field)));
    const pulled = inner(without(wirePackage()));
    expect(pulled).toMatchObject({ pickupLocation: null, attempts: 0 });
    const mirrored = without(pulled) as Package;
    expect(overlayPackage(mirrored, [], { ...mirrored.sender, roles: [] })).toMatchObject(pulled);
  });

  const first = Object.keys(contract1.components.schemas.Package.properties);
  const later = Object.keys(packageSchema.entries).filter((field) => !first.includes(field));

  it('has no field since contract 1 that the changelog does not name', () => {
    const changelog = readFileSync('CHANGELOG.md', 'utf8');
    expect(later.filter((field) => !changelog.includes(`\`${field}\``))).toEqual([]);
  });

  it('without a delivery status or a payment status is pending and unpaid', () => {
    const { deliveryStatus: _, paymentStatus: __, ...rest } = wirePackage();
    expect(inner(rest)).toMatchObject({ status: 'pending', paymentStatus: 'unpaid' });
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
    ['an invisible name', { recipientName: '\u2800 \u00ad\u2060' }, 'recipientName'],
    ['a name of marks', { recipientName: '\u200e\u200f' }, 'recipientName'],
    ['an invisible description', { description: '\u200b\n\u3164' }, 'description'],
    ['an address of 10,000 characters', { deliveryAddress: 'x'.repeat(10_000) }, 'deliveryAddress'],
    ['an unknown method', { paymentMethod: 'barter' }, 'paymentMethod'],
    ['an invalid id', { _id: '42' }, '_id'],
    ['no description', { description: undefined }, 'description'],
    ['a pin beyond the pole', { pickupLocation: { lat: 90.5, lng: 0 } }, 'pickupLocation'],
    ['a pin with more to it', { deliveryLocation: { lat: 1, lng: 2, z: 3 } }, 'deliveryLocation'],
  ])('with %s is refused by field', (_, changes, field) => {
    expect(Object.keys(complaints(createPackageSchema, { ...body, ...changes }))).toEqual([field]);
  });

  it.each([
    ['controls', 'recipientName', 'Mu\u0007s\u0000a\u009f', 'Musa'],
    ['direction marks', 'recipientName', '\u200eMusa\u200f \u061cIbrahim', 'Musa Ibrahim'],
    [
      'overrides and isolates',
      'pickupAddress',
      'Kano \u202eonaK\u202c \u2066x\u2069',
      'Kano onaK x',
    ],
    ['zero-width spaces and byte order marks', 'pickupAddress', '\ufeffKa\u200bno\u2060', 'Kano'],
    ['half a character', 'notes', 'Ring \ud83c', 'Ring'],
    ['tabs and line breaks in a line', 'recipientName', 'Musa\tBello\r\nJr.', 'Musa Bello Jr.'],
    ['other spaces', 'deliveryAddress', '4\u00a0Zoo\u3000 Road\u2028Kano', '4 Zoo Road Kano'],
    [
      'line breaks of notes',
      'notes',
      'Gate 2\r\n\r\nRing\ttwice\u2029Wait',
      'Gate 2\n\nRing twice\nWait',
    ],
    ['marks alone as none', 'notes', '\u200e\u200f ', null],
    ['an e-mail', 'recipientEmail', 'mailto:Musa\u200b@Kaya.test?cc=x', 'musa@kaya.test'],
    ['capitals of an e-mail', 'recipientEmail', 'J\u030co@kaya.test', '\u01f0o@kaya.test'],
    ['accents of an e-mail', 'recipientEmail', 'mu\u0301sa@kaya.test', 'm\u00fasa@kaya.test'],
    [
      'joiners of a script, which stay',
      'recipientName',
      '\u0645\u06cc\u200c\u062e',
      '\u0645\u06cc\u200c\u062e',
    ],
    ['a phone number', 'recipientPhone', '\u202a009 234 803\u2011123 4567\u202c', '+2348031234567'],
  ])('cleans %s', (_, field, given, kept) => {
    expect(v.parse(createPackageSchema, { ...body, [field]: given })).toMatchObject({
      [field]: kept,
    });
  });

  it('needs no pins, takes null as none, and keeps joiners within visible text', () => {
    expect(v.parse(createPackageSchema, body)).not.toHaveProperty('pickupLocation');
    const given = { pickupLocation: null, recipientName: 'Musa \u{1F468}\u200D\u{1F33E}' };
    expect(v.parse(createPackageSchema, { ...body, ...given })).toMatchObject(given);
  });

  it.each([null, [], 'text', 42])('%j is refused', (value) => {
    expect(v.safeParse(createPackageSchema, value).success).toBe(false);
  });
});

it.each([
  [{ deliveryPersonId: null, deliveryStatus: 'Pending' }, []],
  [{}, []],
  [{ senderId: ids.sender }, ['senderId']],
])('the body of a patch, %j, is refused at %j', (patch, fields) => {
  expect(Object.keys(complaints(patchPackageSchema, patch))).toEqual(fields);
});

describe('optional text', () => {
  const email = 'Please enter a valid email address.';
  const moment = 'Must be a date and time, for example 2026-11-21T14:30:00Z.';
  it.each([
    [noneOr(emailSchema), 'nobody', email],
    [noneOr(emailSchema), 'x'.repeat(300), 'Must be at most 254 characters.'],
    [
      noneOr(emailSchema),
      'a\u200d@kaya.test',
      'Must not contain hidden characters. Type it again.',
    ],
    [noneOr(emailSchema), 5, 'Must be text.'],
    [noneOr(dateTimeSchema), 'tomorrow', moment],
    [noneOr(paragraph(10)), 'x'.repeat(11), 'Must be at most 10 characters.'],
  ] as const)('%# is refused with a message', (schema, value, sentence) => {
    expect(v.safeParse(schema, value).issues?.[0]?.message).toBe(sentence);
  });

  it.each([null, '', '  '])('%j is none', (value) => {
    expect(v.parse(noneOr(emailSchema), value)).toBeNull();
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
    ...['', 'now', '2026-13-01', '2026-02-30T10:00Z', '2026-11-31'],
    ...['0001-01-01T00:00Z', '99999-01-01'],
  ])('%j is invalid', (text) => {
    expect(v.safeParse(dateTimeSchema, text).success).toBe(false);
  });

  it('never throws', () => {
    fc.assert(fc.property(fc.string(), (text) => void v.safeParse(dateTimeSchema, text)));
  });
});

describe('a body of any call', () => {
  const moments = Object.entries(routes).flatMap(([call, route]) => {
    const { entries = {} } = 'body' in route ? (route.body as { entries?: object }) : {};
    return Object.entries(entries as Record<string, v.GenericSchema>)
      .filter(([name]) => /(At|Date)$/.test(name))
      .map(([name, schema]) => [call, name, schema] as const);
  });

  it.each(moments)('of %s has as %s a moment, which a database can store', (_, __, schema) => {
    expect(v.is(schema, '2026-11-22T08:00:00Z')).toBe(true);
    for (const text of ['soon', '2026-13-01']) expect(v.is(schema, text)).toBe(false);
  });
});

describe('places', () => {
  it.each([
    [12.002_200_4, 8.591_899_6, '{"lat":12.0022,"lng":8.5919}'],
    [-90, 180, '{"lat":-90,"lng":180}'],
    [-1e-9, 1e-9, '{"lat":0,"lng":0}'],
  ])('%d, %d is %s, without a negative zero', (lat, lng, kept) => {
    const location = v.parse(locationSchema, { lat, lng });
    expect(JSON.stringify(location)).toBe(kept);
    expect(Object.is(location.lat, -0)).toBe(false);
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

it.each([
  [0.01, true],
  [1.15, true],
  [0.001, false],
  [1e-9, false],
  [0, false],
  [Number.POSITIVE_INFINITY, false],
])('the price %d is valid: %s', (price, isValid) => {
  expect(v.is(priceSchema, price)).toBe(isValid);
});

it('the path of a route escapes the id', () => {
  expect(pathOf(routes.getPackage.path, { id: 'a/b' })).toBe('/api/packages/a%2Fb');
});

it.each(Object.entries(errorCatalogue))('%s has a 4xx or 5xx and a message', (_, refusal) => {
  expect(refusal.status).toBeGreaterThanOrEqual(400);
  expect(refusal.message.length).toBeGreaterThan(10);
});
