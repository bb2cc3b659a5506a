/** Rows of a server of the specification's table alone: one that is odd must not hide the others. */
import type * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { userListSchema } from '#contract/delta.ts';
import { packageListSchema } from '#contract/package.ts';
import { verifiedPaymentSchema } from '#contract/payment.ts';
import { readBody } from '#contract/plain.ts';
import { packageFromWire } from '#domain/package.ts';
import { userFromWire } from '#domain/user.ts';

const row = { _id: 'p1', description: 'Cloth', priceOffer: 1500, deliveryStatus: 'Pending' };
const person = { _id: 'u1', firstName: 'Amina', email: 'amina@kaya.test', roles: ['Customer'] };
const id = '0b8e2a8c-0d5e-4f5e-9d8e-0a4b1c2d3e4f';
const party = { _id: id, firstName: 'A', lastName: 'B', email: null, phoneNumber: null };
/** A package in the contract's shape, which each case changes. */
const ours = {
  ...{ _id: id, packageId: 'KY-000042', version: 3, senderId: party, deliveryPersonId: null },
  ...{ recipientName: 'Musa', recipientPhone: null, recipientEmail: null, description: 'Cloth' },
  ...{ notes: null, pickupAddress: 'a', deliveryAddress: 'b', deliveryDate: null },
  ...{ pickupDate: '2026-11-22T08:00:00.000Z', createdAt: '2026-11-22T08:00:00.000Z' },
  ...{ updatedAt: '2026-11-22T08:00:00.000Z', priceOffer: 1500, paymentMethod: 'cash' },
};
const strange: unknown[] = [
  { toString: 1 },
  { valueOf: null, toString: null },
  [],
  true,
  'ten',
  1e15,
  -1e300,
];
const none: unknown[] = [null, '', false, {}, [[]], 'no', 1e300, '\u0000'];

/** What is read of a list with this one in the middle, as the app does. */
function read<S extends v.GenericSchema>(schema: S, odd: unknown, other: object) {
  const body = readBody(schema, [{ ...other, _id: 'first' }, odd, { ...other, _id: 'last' }]);
  return body.success ? (body.output as never[]) : null;
}
const packages = (odd: unknown) =>
  read(packageListSchema, odd, row)?.map((one) => packageFromWire(one));
const users = (odd: unknown) => read(userListSchema, odd, person)?.map((one) => userFromWire(one));

describe('a package', () => {
  it.each([
    ['price offer', { priceOffer: '1,500' }, { priceOfferKobo: 150_000 }],
    ['price offer', { priceOffer: ' 1500.50 ' }, { priceOfferKobo: 150_050 }],
    ['price offer', { priceOffer: null }, { priceOfferKobo: 0 }],
    ['id', { _id: 42 }, { id: '42' }],
    ['number', { packageId: 42 }, { packageId: '42' }],
    ...[null, ...strange.slice(0, 4)].map((packageId) => [
      'number',
      { packageId },
      { packageId: '' },
    ]),
    ['sender', { senderId: 7 }, { sender: { id: '7' } }],
    ['courier', { deliveryPersonId: { _id: 7 } }, { courier: { id: '7' } }],
    ...[null, '', '3', 1.5, -1, 1e15, {}].map((version) => [
      'version',
      { version },
      { version: 0 },
    ]),
    ...['progress', 'outcome', 'releaseAt', 'dispute', 'verifiedBy', 'recipientNote']
      .concat('pickupLocation', 'deliveryLocation', 'lastAttempt', 'deliveredAt')
      .flatMap((name) => [{}, [], true, 5].map((odd) => [name, { [name]: odd }, { [name]: null }])),
    ...['progress', 'outcome', 'pickupLocation'].map((name) => [
      name,
      { [name]: '' },
      { [name]: null },
    ]),
    ...[null, '', {}, 'two'].flatMap((odd) => [
      ['attempts', { attempts: odd }, { attempts: 0 }],
      ['photosMissing', { photosMissing: odd }, { photosMissing: 0 }],
      ['handover', { handover: odd }, { handover: 'none' }],
      ['codeLocked', { codeLocked: odd }, { codeLocked: false }],
      ['dates', { pickupDate: odd, createdAt: odd, updatedAt: odd }, { deliveryDate: null }],
      ['status', { deliveryStatus: odd, paymentStatus: odd }, { status: 'pending' }],
    ]),
    ...strange.map((paidOut) => ['paid out', { paidOut }, { paidOutKobo: null }]),
  ] as [string, object, object][])('%s %j is read as %j', (_, odd, expected) => {
    expect(packages({ ...row, ...odd })).toHaveLength(3);
    expect(packages({ ...row, ...odd })?.[1]).toMatchObject(expected);
  });

  it('of the contract with an amount beyond all money is read without it', () => {
    expect(packages({ ...ours, paidOut: 1e15 })?.[1]).toMatchObject({ id, paidOutKobo: null });
    expect(packages({ ...ours, paidOut: 900 })?.[1]).toMatchObject({ id, paidOutKobo: 90_000 });
    expect(packages({ ...ours, attempts: null })?.[1]).toMatchObject({ id, version: 3 });
  });

  it.each(
    [
      ...strange.map((priceOffer) => ({ ...row, priceOffer })),
      ...strange.map((priceOffer) => ({ ...ours, priceOffer })),
      ...none.map((_id) => ({ ...row, _id })).filter(({ _id }) => typeof _id !== 'string' || !_id),
      ...[null, 5, 'row', [], {}, { _id: 'x' }],
    ].filter((odd) => (odd as typeof row | null)?._id !== (1e300 as never)),
  )('%j is left out, and the others stay', (odd) => {
    expect(packages(odd)?.map((one) => one.id)).toEqual(['first', 'last']);
  });
});

describe('a user', () => {
  it.each([
    [{ _id: 42 }, { id: '42' }],
    [{ version: null }, { version: 0 }],
    ...strange.map((balance) => [{ balance }, { balance: null }]),
    ...none.map((givenBackAt) => [{ givenBackAt }, { firstName: 'Amina' }]),
    [{ roles: { toString: 1 } }, { firstName: 'Amina' }],
  ] as [object, object][])('with %j is read as %j', (odd, expected) => {
    expect(users({ ...person, ...odd })?.[1]).toMatchObject(expected);
  });

  it.each([
    null,
    5,
    {},
    { ...person, _id: null },
    { ...person, _id: { toString: 1 } },
  ])('%j is left out, and the others stay', (odd) => {
    expect(users(odd)?.map((one) => one.id)).toEqual(['first', 'last']);
  });
});

it.each(strange)('a payment of %j is none', (depositedAmount) => {
  expect(readBody(verifiedPaymentSchema, { depositedAmount }).success).toBe(false);
});
