import { describe, expect, it } from 'vitest';
import { dueAt, isLate, nextStop, tripMeters } from '#domain/stops.ts';
import { aPackage } from '#tests/builders/package.ts';

const nowMs = Date.parse('2026-11-21T12:00:00.000Z');
/** Minutes from now → ISO 8601. */
const at = (minutes: number) => new Date(nowMs + minutes * 60_000).toISOString();

const pkg = (status: 'pending' | 'in-transit' | 'delivered' | 'cancelled', minutes: Minutes) =>
  aPackage({
    status,
    pickupDate: at(minutes.pickup),
    deliveryDate: minutes.delivery === undefined ? null : at(minutes.delivery),
    updatedAt: at(minutes.changed ?? -600),
  });

interface Minutes {
  pickup: number;
  delivery?: number;
  /** The last change, of which the acceptance is the first. */
  changed?: number;
}

describe('the next stop', () => {
  it.each([
    ['offered', pkg('pending', { pickup: 60 }), 'pickup', false],
    ['offered, its time within the grace', pkg('pending', { pickup: -15 }), 'pickup', false],
    ['offered, its time past', pkg('pending', { pickup: -16 }), 'pickup', true],
    ['accepted, to be collected', pkg('in-transit', { pickup: 30, delivery: 90 }), 'pickup', false],
    ['collected late', pkg('in-transit', { pickup: -40, delivery: 90 }), 'pickup', true],
    ['on its way', pkg('in-transit', { pickup: -61, delivery: 90 }), 'delivery', false],
    ['on its way, late', pkg('in-transit', { pickup: -120, delivery: -16 }), 'delivery', true],
    ['on its way without a time', pkg('in-transit', { pickup: -2000 }), 'delivery', false],
    [
      'accepted just now, after its time',
      pkg('in-transit', { pickup: -600, delivery: 60, changed: -5 }),
      'pickup',
      true,
    ],
    ['delivered', pkg('delivered', { pickup: -600, delivery: -300 }), null, false],
    ['cancelled', pkg('cancelled', { pickup: -600 }), null, false],
  ] as const)('of a package %s', (_, each, stop, expected) => {
    expect(nextStop(each, nowMs)).toBe(stop);
    expect(dueAt(each, nowMs)).toBe(stop && each[`${stop}Date`]);
    expect(isLate(each, nowMs)).toBe(expected);
  });
});

it('measures a trip between two pins only', () => {
  const pickupLocation = { lat: 12, lng: 8.5 };
  const deliveryLocation = { lat: 12, lng: 8.6 };
  expect(tripMeters(aPackage({ pickupLocation, deliveryLocation }))).toBeCloseTo(10_876, -1);
  expect(tripMeters(aPackage({ pickupLocation, deliveryLocation: null }))).toBeNull();
});
