import { expect, it } from 'vitest';
import { areaFor, isElsewhere, isWithin } from '#domain/within-area.ts';

const kano = { lat: 12, lng: 8.59 };

it.each([
  [{ lat: 0, lng: 179.99, km: 3 }, { lat: 0, lng: -179.99 }, true],
  [{ ...kano, km: 5 }, { lat: 12.04, lng: 8.59 }, true],
  [{ ...kano, km: 5 }, { lat: 12.05, lng: 8.59 }, false],
  [null, { lat: 0, lng: 0 }, true],
  [{ ...kano, km: 1 }, null, true],
])('the area %j includes %j: %s', (area, place, isInside) => {
  expect(isWithin(area, place)).toBe(isInside);
});

const area = { ...kano, km: 5 };
const far = { lat: 6.5, lng: 3.4 };
const offer = {
  senderId: 'sender',
  courierId: null,
  status: 'pending',
  pickupLocation: far,
} as const;

it.each([
  ["another's offer elsewhere", 'reader', offer, true],
  ['an offer without a pin', 'reader', { ...offer, pickupLocation: null }, false],
  ['an offer inside', 'reader', { ...offer, pickupLocation: kano }, false],
  ["the reader's own offer", 'sender', offer, false],
  ['an accepted one', 'reader', { ...offer, courierId: 'reader', status: 'in-transit' }, false],
] as const)('the area leaves out %s: %#', (_, id, pkg, isOut) => {
  expect(isElsewhere({ id }, area, pkg, pkg.pickupLocation)).toBe(isOut);
  expect(isElsewhere({ id }, null, pkg, pkg.pickupLocation)).toBe(false);
});

it('limits only couriers', () => {
  const roles = ['Customer', 'Employee', 'Admin'] as const;
  expect(roles.map((role) => areaFor({ role }, area))).toEqual([null, area, null]);
  expect(areaFor({ role: 'Employee' }, undefined)).toBeNull();
});
