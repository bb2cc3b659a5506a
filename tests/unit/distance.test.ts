import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { distanceMeters, distanceText } from '#domain/distance.ts';

const kano = { lat: 12.0022, lng: 8.5919 };
const place = fc.record({
  lat: fc.double({ min: -90, max: 90, noNaN: true }),
  lng: fc.double({ min: -180, max: 180, noNaN: true }),
});

describe('a distance', () => {
  it.each([
    // A degree of a meridian; a degree along the equator; half way round; across the date line.
    [{ lat: 0, lng: 0 }, { lat: 1, lng: 0 }, 111_195],
    [{ lat: 0, lng: 0 }, { lat: 0, lng: 1 }, 111_195],
    [{ lat: 0, lng: 0 }, { lat: 0, lng: 180 }, 20_015_115],
    [{ lat: 0, lng: 179.5 }, { lat: 0, lng: -179.5 }, 111_195],
    // Kano to Lagos, as the crow flies.
    [kano, { lat: 6.5244, lng: 3.3792 }, 834_500],
    [kano, kano, 0],
  ])('from %o to %o', (from, to, meters) => {
    expect(Math.abs(distanceMeters(from, to) - meters)).toBeLessThanOrEqual(meters * 0.002);
  });

  it('is symmetric and at most half the circumference', () => {
    fc.assert(
      fc.property(place, place, (a, b) => {
        const there = distanceMeters(a, b);
        expect(there).toBeCloseTo(distanceMeters(b, a), 3);
        expect(there).toBeGreaterThanOrEqual(0);
        expect(there).toBeLessThanOrEqual(20_015_116);
      }),
    );
  });

  it.each([
    [0, '10 m'],
    [4, '10 m'],
    [848, '850 m'],
    [994, '990 m'],
    [996, '1.0 km'],
    [3249, '3.2 km'],
    [9949, '9.9 km'],
    [9951, '10 km'],
    [12_400, '12 km'],
    [834_500, '835 km'],
  ])('of %d m is displayed as %s', (meters, text) => {
    expect(distanceText(meters)).toBe(text);
  });
});
