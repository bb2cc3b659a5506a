import fc from 'fast-check';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { locationSchema } from '#contract/fields.ts';
import { isSameValue, locationText, shortLocation, typedLocation } from '#domain/location.ts';
import { locationOf } from '#features/map/components/location-picker.tsx';

const place = fc
  .record({
    lat: fc.double({ min: -90, max: 90, noNaN: true }),
    lng: fc.double({ min: -180, max: 180, noNaN: true }),
  })
  .map((raw) => v.parse(locationSchema, raw));

describe('a location', () => {
  it('round-trips through a form', () => {
    fc.assert(
      fc.property(place, (location) => {
        expect(typedLocation(locationText(location))).toEqual(location);
      }),
    );
  });

  it.each([
    ['12.0022, 8.5919', { lat: 12.0022, lng: 8.5919 }],
    [' 12.0022 8.5919 ', { lat: 12.0022, lng: 8.5919 }],
    ['-6.5;+3', { lat: -6.5, lng: 3 }],
    ['12.0022', null],
    ['12,0022, 8,5919', null],
    ['Kofar Mata', null],
    ['', null],
  ])('is parsed from %j', (text, location) => {
    expect(typedLocation(text)).toEqual(location);
  });

  it('is empty in a form if not set', () => {
    expect([locationText(null), locationText(undefined)]).toEqual(['', '']);
  });

  it('is displayed to the metre', () => {
    expect(shortLocation({ lat: 12.0022, lng: -8.591_949 })).toBe('12.00220, -8.59195');
  });

  it('typed in two fields must be a valid coordinate', () => {
    expect(locationOf({ lat: '12.0022', lng: '8.5919' })).toEqual({ lat: 12.0022, lng: 8.5919 });
    for (const [lat, lng] of [
      ['90.1', '0'],
      ['0', '180.1'],
      ['north', '8'],
      ['', ''],
      ['12', ''],
    ] as const) {
      expect(locationOf({ lat, lng }), `${lat} ${lng}`).toBeNull();
    }
  });

  it('equals another object with the same coordinates', () => {
    expect(isSameValue({ lat: 1, lng: 2 }, { lat: 1, lng: 2 })).toBe(true);
    expect(isSameValue({ lat: 1, lng: 2 }, { lat: 2, lng: 1 })).toBe(false);
    expect(isSameValue({ lat: 1, lng: 2 }, null)).toBe(false);
    expect(isSameValue(null, null)).toBe(true);
    expect(isSameValue('a', 'a')).toBe(true);
    expect(isSameValue({}, {})).toBe(false);
  });
});
