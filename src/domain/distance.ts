import type { Location } from '#contract/fields.ts';

/** Mean radius of the earth (IUGG). */
const earthMeters = 6_371_008.8;
const radians = (degrees: number) => (degrees * Math.PI) / 180;

/** Metres along the great circle (haversine), within 0.6 % of the ellipsoid. */
export function distanceMeters(from: Location, to: Location): number {
  const halfLat = Math.sin(radians(to.lat - from.lat) / 2);
  const halfLng = Math.sin(radians(to.lng - from.lng) / 2);
  const chord =
    halfLat * halfLat + Math.cos(radians(from.lat)) * Math.cos(radians(to.lat)) * halfLng * halfLng;
  // Rounding may exceed 1 for antipodes.
  return 2 * earthMeters * Math.asin(Math.sqrt(Math.min(1, chord)));
}

/** '850 m', '3.2 km', '12 km': no more precise than a phone's position. */
export function distanceText(meters: number): string {
  const tens = Math.round(meters / 10) * 10;
  if (tens < 1000) return `${Math.max(tens, 10)} m`;
  const tenths = Math.round(meters / 100) / 10;
  return tenths < 10 ? `${tenths.toFixed(1)} km` : `${Math.round(meters / 1000)} km`;
}
