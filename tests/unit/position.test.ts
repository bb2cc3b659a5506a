/** What recipients see of a courier's place, and when it is shared at all. */
import { describe, expect, it } from 'vitest';
import type { Progress } from '#contract/event.ts';
import { positionLifetimeMs } from '#contract/position.ts';
import { distanceMeters } from '#domain/distance.ts';
import { isCarryingAny, positionForRecipient } from '#domain/position.ts';
import type { DeliveryStatus } from '#domain/status.ts';
import { aPackage, party } from '#tests/builders/package.ts';

describe('a place as a recipient sees it', () => {
  const at = new Date('2027-01-15T08:00:00.000Z');
  const coming = { status: 'in-transit', progress: 'picked_up' } as const;
  const shown = (place: { lat: number; lng: number }) => {
    const found = positionForRecipient({ ...place, accuracy: 20, at }, coming, at);
    if (!found) throw new Error('Nothing is shown.');
    return { lat: found.lat, lng: found.lng };
  };

  it('is rounded to about 100 m', () => {
    expect(shown({ lat: 12.002246, lng: 8.591939 })).toEqual({ lat: 12.002, lng: 8.592 });
    expect(shown({ lat: -0.0001, lng: 0.0004 })).toEqual({ lat: 0, lng: 0 });
    const corner = { lat: 12.0015, lng: 8.5915 };
    expect(distanceMeters(corner, shown(corner))).toBeGreaterThan(70);
    expect(distanceMeters(corner, shown(corner))).toBeLessThan(90);
  });

  it('is not there if it is only a guess', () => {
    const seen = (accuracy: number) =>
      positionForRecipient({ lat: 12, lng: 8, accuracy, at }, coming, at);
    expect([seen(500) !== null, seen(501)]).toEqual([true, null]);
  });

  it('is there for ten minutes', () => {
    const seenAfter = (ms: number) =>
      positionForRecipient(
        { lat: 12, lng: 8, accuracy: 20, at },
        coming,
        new Date(at.getTime() + ms),
      );
    expect(seenAfter(positionLifetimeMs - 1)).toEqual({ lat: 12, lng: 8, at: at.toISOString() });
    expect(seenAfter(positionLifetimeMs)).toBeNull();
  });

  it.each<[DeliveryStatus, Progress | null, boolean]>([
    ['pending', null, false],
    ['in-transit', null, false],
    ['in-transit', 'accepted', false],
    ['in-transit', 'picked_up', true],
    ['in-transit', 'arrived', true],
    ['in-transit', 'attempted', true],
    ['in-transit', 'returning', false],
    ['delivered', 'picked_up', false],
    ['cancelled', 'picked_up', false],
  ])('is there while it comes to them: %s, %s: %s', (status, progress, isSeen) => {
    const found = positionForRecipient(
      { lat: 12, lng: 8, accuracy: 20, at },
      { status, progress },
      at,
    );
    expect(found !== null).toBe(isSeen);
  });
});

it('a place is shared only by who has a package in transit', () => {
  const courier = party('sani', 'Sani');
  const moving = aPackage({ status: 'in-transit', courier });
  expect(isCarryingAny([moving], 'sani')).toBe(true);
  expect(isCarryingAny([moving], 'bala')).toBe(false);
  expect(isCarryingAny([{ ...moving, status: 'delivered' }], 'sani')).toBe(false);
  expect(isCarryingAny([], 'sani')).toBe(false);
  expect(isCarryingAny(undefined, 'sani')).toBe(false);
});
