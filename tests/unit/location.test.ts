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

  const kano = { lat: 12.0022, lng: 8.5919 };
  it.each([
    [' 12.0022', '8,5919 ', kano],
    ['12.0022, 8.5919', '', kano],
    ['', '12.0022 8.5919', kano],
    ['-90', '0', { lat: -90, lng: 0 }],
    ['90.1', '0', null],
    ['0', '-180.1', null],
    ['north', '8', null],
    ['NaN', '1', null],
    ['', '', null],
    ['12.0022 N', '8.5919 E', kano],
    ['8.5919 E', '12.0022 N', kano],
    ['(12.0022, 8.5919)', '', kano],
    ['', 'https://maps.google.com/?q=12.0022,8.5919', kano],
    ['12', '', null],
    ['', '8', null],
    ['2H2R+VQ Kano', '', null],
    ['12.0022, 8.5919', '3', null],
  ])('typed as %j and %j is %j', (lat, lng, location) => {
    expect(locationOf({ lat, lng })).toEqual(location);
  });

  it.each([
    [{ lat: 1, lng: 2 }, { lat: 1, lng: 2 }, true],
    [{ lat: 1, lng: 2 }, { lat: 2, lng: 1 }, false],
    [{ lat: 1, lng: 2 }, null, false],
    [null, null, true],
    ['a', 'a', true],
    [{}, {}, false],
  ])('%j equals %j: %s', (one, other, isSame) => {
    expect(isSameValue(one, other)).toBe(isSame);
  });
});
