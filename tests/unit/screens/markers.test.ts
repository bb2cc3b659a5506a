import { describe, expect, it } from 'vitest';
import type { PackageView } from '#domain/overlay.ts';
import { displayName } from '#domain/user.ts';
import { courierMarkers, markersOf } from '#features/map/components/package-markers.tsx';
import { actor } from '#tests/builders/package.ts';
import { packageView, person } from './package-view.ts';

const pickupLocation = { lat: 12.0022, lng: 8.5919 };
const deliveryLocation = { lat: 11.9702, lng: 8.5434 };
const pinned = (change: Partial<PackageView>) => packageView({ pickupLocation, ...change });

const own = pinned({ id: 'own' });
const offered = pinned({ id: 'offered', sender: person('other') });
const carried = pinned({
  id: 'carried',
  sender: person('other'),
  status: 'in-transit',
  courier: person('courier'),
});
const anothers = { ...carried, id: 'anothers', courier: person('rival') };
const delivered = { ...carried, id: 'delivered', status: 'delivered' } as const;
const all = [own, offered, carried, anothers, delivered];

const idsFor = (role: 'Customer' | 'Employee' | 'Admin', id: string) =>
  markersOf(all, actor(role, id))
    .map((marker) => marker.id)
    .sort();

describe('markers', () => {
  it('of a sender are their own packages', () => {
    expect(idsFor('Customer', 'sender')).toEqual(['own']);
  });

  it('of a courier are offers, carried packages and their own', () => {
    expect(idsFor('Employee', 'courier')).toEqual(['carried', 'offered', 'own']);
    expect(idsFor('Employee', 'sender')).toEqual(['offered', 'own']);
  });

  it('of a dispatcher are all undelivered packages', () => {
    expect(idsFor('Admin', 'dispatcher')).toEqual(['anothers', 'carried', 'offered', 'own']);
  });

  it('are one for each pin, labelled with kind and place', () => {
    const view = { ...own, deliveryLocation };
    expect(markersOf([view], actor('Customer', 'sender'))).toEqual([
      {
        id: 'own',
        kind: 'pickup',
        location: pickupLocation,
        label: 'KY-000001, pickup: 12 Kofar Mata Road, Kano',
      },
      {
        id: 'own',
        kind: 'delivery',
        location: deliveryLocation,
        label: 'KY-000001, delivery: 4 Zoo Road, Kano',
      },
    ]);
    const unsent = { ...own, packageId: '' };
    expect(markersOf([unsent], actor('Customer', 'sender'))[0]?.label).toBe(
      'New package, pickup: 12 Kofar Mata Road, Kano',
    );
  });

  it('are limited to the newest packages', () => {
    const many = Array.from({ length: 150 }, (_, index) =>
      pinned({ id: `p${index}`, createdAt: new Date(1e12 + index * 1000).toISOString() }),
    );
    const shown = markersOf(many, actor('Customer', 'sender')).map(({ id }) => id);
    expect([shown.length, shown[0], shown.at(-1)]).toEqual([100, 'p149', 'p50']);
  });
});

describe('markers of couriers', () => {
  const nowMs = Date.parse('2026-11-21T10:03:00.000Z');
  const place = { lat: 12.01, lng: 8.55, accuracy: 20, at: '2026-11-21T10:00:00.000Z' };
  const positionsOf = (...ids: string[]) =>
    new Map(ids.map((courierId) => [courierId, { courierId, ...place }]));

  it('name them and the age of their place', () => {
    expect(courierMarkers(all, positionsOf('rival'), nowMs)).toEqual([
      {
        id: 'rival',
        kind: 'courier',
        location: { lat: 12.01, lng: 8.55 },
        label: `${displayName(person('rival'))}, seen 3 minutes ago`,
        name: person('rival').firstName,
      },
    ]);
  });

  it('are none where no package names them', () => {
    expect(courierMarkers(all, positionsOf('stranger'), nowMs)).toEqual([]);
  });

  it('are never of the future, whatever the clock of the phone says', () => {
    const [marker] = courierMarkers(all, positionsOf('rival'), nowMs - 3_600_000);
    expect(marker?.label).toMatch(/, seen just now$/);
  });
});
