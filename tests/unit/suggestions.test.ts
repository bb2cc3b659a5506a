/** What the wizard suggests: from the user's own packages, and times to come. */
import { describe, expect, it } from 'vitest';
import type { PackageView } from '#domain/overlay.ts';
import { emptyPackageForm } from '#domain/package-fields.ts';
import {
  recentPeople,
  recentPlaces,
  recentPrices,
  type Suggestion,
  timeSuggestions,
} from '#features/package-form/suggestion-rules.ts';
import { packageView } from './screens/package-view.ts';

const sent = (day: number, changes: Partial<PackageView>) =>
  packageView({
    createdAt: `2026-11-0${day}T10:00:00.000Z`,
    pickupAddress: '12 Kofar Mata Road',
    deliveryAddress: '4 Zoo Road',
    deliveryLocation: { lat: 12, lng: 8.5 },
    recipientPhone: '0805 765 4321',
    ...changes,
  });

const labels = (suggested: Suggestion[]) => suggested.map(({ label }) => label);
const form = emptyPackageForm;

describe('recent places', () => {
  const packages = [
    sent(1, { deliveryAddress: 'Sabon Gari Market' }),
    sent(3, { pickupAddress: '12 kofar mata road ' }),
    sent(2, {}),
  ];

  it('has each once, newest first, those of the same stop before the others', () => {
    expect(labels(recentPlaces(packages, 'pickup', form))).toEqual([
      ...['12 kofar mata road ', '4 Zoo Road', 'Sabon Gari Market'],
    ]);
    expect(labels(recentPlaces(packages, 'delivery', form))).toEqual([
      ...['4 Zoo Road', 'Sabon Gari Market', '12 kofar mata road '],
    ]);
  });

  it('fills in the pin too, and removes one that is not known', () => {
    const [delivery] = recentPlaces(packages, 'delivery', form);
    expect(delivery?.fills).toEqual({
      deliveryAddress: '4 Zoo Road',
      deliveryLocation: '12, 8.5',
    });
    const [pickup] = recentPlaces([sent(1, {})], 'pickup', form);
    expect(pickup?.fills.pickupLocation).toBe('');
  });

  it('narrows as the address is typed, and leaves out the other stop', () => {
    const typed = { ...form, deliveryAddress: 'zoo' };
    expect(labels(recentPlaces(packages, 'delivery', typed))).toEqual(['4 Zoo Road']);
    const other = { ...form, pickupAddress: '4 Zoo Road' };
    expect(labels(recentPlaces(packages, 'delivery', other))).not.toContain('4 Zoo Road');
  });

  it('leaves out what is filled in already', () => {
    const [one] = recentPlaces(packages, 'delivery', form);
    expect(labels(recentPlaces(packages, 'delivery', { ...form, ...one?.fills }))).toEqual([]);
  });
});

it('people are told apart by their number', () => {
  const packages = [
    sent(1, { recipientName: 'M. Ibrahim' }),
    sent(2, {}),
    sent(3, { recipientName: 'Musa Ibrahim', recipientPhone: '0803 111 2222' }),
    sent(4, { recipientName: 'Withheld', recipientPhone: null }),
  ];
  const found = recentPeople(packages, form);
  expect(found.map(({ label, note }) => [label, note])).toEqual([
    ['Musa Ibrahim', '0803 111 2222'],
    ['Musa Ibrahim', '0805 765 4321'],
  ]);
  expect(labels(recentPeople(packages, { ...form, recipientName: '0803' }))).toHaveLength(1);
});

it('prices are those offered before, for the same address first', () => {
  const packages = [
    sent(1, { priceOfferKobo: 150_000, deliveryAddress: 'Sabon Gari Market' }),
    sent(2, { priceOfferKobo: 120_050 }),
    sent(3, { priceOfferKobo: 120_050, deliveryAddress: 'Rimi Market' }),
  ];
  expect(recentPrices(packages, form)).toEqual([
    { label: '₦1,200.50', note: 'Rimi Market', fills: { priceOffer: '1200.5' } },
    { label: '₦1,500', note: 'Sabon Gari Market', fills: { priceOffer: '1500' } },
  ]);
  const there = { ...form, deliveryAddress: 'Sabon Gari Market' };
  expect(labels(recentPrices(packages, there))).toEqual(['₦1,500', '₦1,200.50']);
  expect(labels(recentPrices(packages, { ...there, priceOffer: '1500' }))).toEqual(['₦1,200.50']);
  expect(recentPrices([], form)).toEqual([]);
});

/** In Nigeria, an hour ahead of UTC. */
describe.each([
  ['in the morning', '2026-11-24T07:30:00Z', ['Now', 'Today 16:00', 'Tomorrow 09:00']],
  ['in the evening', '2026-11-24T15:00:00Z', ['Now', 'Tomorrow 09:00']],
  ['after midnight there', '2026-11-24T23:10:00Z', ['Now', 'Today 16:00', 'Tomorrow 09:00']],
])('times of a pickup %s', (_, now, expected) => {
  it(`are ${expected.join(', ')}`, () => {
    const times = timeSuggestions('pickupDate', form, Date.parse(now), 'Now');
    expect(labels(times)).toEqual(expected);
  });
});

it('times of a delivery are after the pickup', () => {
  const at = Date.parse('2026-11-24T07:30:00Z');
  expect(timeSuggestions('deliveryDate', form, at, 'Now').map(({ fills }) => fills)).toEqual([
    { deliveryDate: '2026-11-24T18:00' },
    { deliveryDate: '2026-11-25T12:00' },
  ]);
  const evening = Date.parse('2026-11-24T17:30:00Z');
  expect(labels(timeSuggestions('deliveryDate', form, evening, 'Now'))).toEqual([
    ...['Tomorrow 12:00', 'Tomorrow 18:00'],
  ]);
  const later = { ...form, pickupDate: '2026-11-25T12:00' };
  expect(labels(timeSuggestions('deliveryDate', later, at, 'Now'))).toEqual(['Tomorrow 18:00']);
});
