import { describe, expect, it } from 'vitest';
import type { Progress } from '#contract/event.ts';
import { dueAt, isLate, nextStop, tripMeters } from '#domain/stops.ts';
import { aPackage } from '#tests/builders/package.ts';

const nowMs = Date.parse('2026-11-21T12:00:00.000Z');
/** Minutes from now → ISO 8601. */
const at = (minutes: number) => new Date(nowMs + minutes * 60_000).toISOString();

type Status = 'pending' | 'in-transit' | 'delivered' | 'cancelled';

/** Minutes from now to pickup and delivery. */
const pkg = (
  status: Status,
  [pickup, delivery]: [number, number?],
  progress: Progress | null = null,
) =>
  aPackage({
    status,
    progress,
    pickupDate: at(pickup),
    deliveryDate: delivery === undefined ? null : at(delivery),
  });

describe('the next stop', () => {
  const moving = 'in-transit';
  it.each([
    ['offered', pkg('pending', [60]), 'pickup', false],
    ['offered, its time within the grace', pkg('pending', [-15]), 'pickup', false],
    ['offered, its time past', pkg('pending', [-16]), 'pickup', true],
    ['accepted, to be collected', pkg(moving, [30, 90], 'accepted'), 'pickup', false],
    ['accepted before steps were kept', pkg(moving, [30, 90]), 'pickup', false],
    ['collected late', pkg(moving, [-40, 90], 'accepted'), 'pickup', true],
    ['picked up', pkg(moving, [-61, 90], 'picked_up'), 'delivery', false],
    ['picked up early', pkg(moving, [61, 90], 'picked_up'), 'delivery', false],
    ['at the door', pkg(moving, [-61, 90], 'arrived'), 'delivery', false],
    ['tried once, late', pkg(moving, [-120, -16], 'attempted'), 'delivery', true],
    ['on its way without a time', pkg(moving, [-2000], 'picked_up'), 'delivery', false],
    ['delivered', pkg('delivered', [-600, -300]), null, false],
    ['cancelled', pkg('cancelled', [-600]), null, false],
  ] as const)('of a package %s', (_, each, stop, expected) => {
    expect(nextStop(each)).toBe(stop);
    expect(dueAt(each)).toBe(stop && each[`${stop}Date`]);
    expect(isLate(each, nowMs)).toBe(expected);
  });

  it('of a package on its way back is its sender, at no agreed time', () => {
    const returning = pkg(moving, [-600, -300], 'returning');
    expect([nextStop(returning), dueAt(returning)]).toEqual(['pickup', null]);
    expect(isLate(returning, nowMs)).toBe(false);
  });
});

it('measures a trip between two pins only', () => {
  const pickupLocation = { lat: 12, lng: 8.5 };
  const deliveryLocation = { lat: 12, lng: 8.6 };
  expect(tripMeters(aPackage({ pickupLocation, deliveryLocation }))).toBeCloseTo(10_876, -1);
  expect(tripMeters(aPackage({ pickupLocation, deliveryLocation: null }))).toBeNull();
});
