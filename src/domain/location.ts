import type { Location } from '#contract/fields.ts';

export const mapCentre: Location = { lat: 12.0022, lng: 8.5919 };

/** For form fields: '12.0022, 8.5919'; '' for none. */
export function locationText(location: Location | null | undefined): string {
  return location ? `${location.lat}, ${location.lng}` : '';
}

/** For display, to the metre: '12.00220, 8.59190'. */
export function shortLocation({ lat, lng }: Location): string {
  return `${lat.toFixed(5)}, ${lng.toFixed(5)}`;
}

const pair = /^\s*([+-]?\d{1,3}(?:\.\d+)?)\s*[,;\s]\s*([+-]?\d{1,3}(?:\.\d+)?)\s*$/;

/** Two numbers as maps write them; else null. The schema checks their range. */
export function typedLocation(text: string): Location | null {
  const found = pair.exec(text);
  return found ? { lat: Number(found[1]), lng: Number(found[2]) } : null;
}

/** Beyond a box around Nigeria: no mistake for certain, but worth a question. */
export const isAbroad = ({ lat, lng }: Location): boolean =>
  lat < 4 || lat > 14 || lng < 2.5 || lng > 15;

export function isLocation(value: unknown): value is Location {
  if (typeof value !== 'object' || value === null) return false;
  const { lat, lng } = value as Partial<Location>;
  return Number.isFinite(lat) && Number.isFinite(lng);
}

/** Compares wire values of a field: text, numbers and null by identity, places by coordinates. */
export function isSameValue(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  return isLocation(one) && isLocation(other) && one.lat === other.lat && one.lng === other.lng;
}
