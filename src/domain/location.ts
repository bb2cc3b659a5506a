/** Places on the map: how they are typed, shown and compared. Pure. */
import type { Location } from '#contract/fields.ts';

/** Kano: where the map begins. */
export const mapCentre: Location = { lat: 12.0022, lng: 8.5919 };

/** As a form holds it: '12.0022, 8.5919'; '' for none. */
export function locationText(location: Location | null | undefined): string {
  return location ? `${location.lat}, ${location.lng}` : '';
}

/** As people read it, to the metre: '12.00220, 8.59190'. */
export function shortLocation({ lat, lng }: Location): string {
  return `${lat.toFixed(5)}, ${lng.toFixed(5)}`;
}

const pair = /^\s*([+-]?\d{1,3}(?:\.\d+)?)\s*[,;\s]\s*([+-]?\d{1,3}(?:\.\d+)?)\s*$/;

/** Two numbers as maps write them; null for what is no pair. Whether they lie on earth is the schema's. */
export function typedLocation(text: string): Location | null {
  const found = pair.exec(text);
  return found ? { lat: Number(found[1]), lng: Number(found[2]) } : null;
}

export function isLocation(value: unknown): value is Location {
  if (typeof value !== 'object' || value === null) return false;
  const { lat, lng } = value as Partial<Location>;
  return Number.isFinite(lat) && Number.isFinite(lng);
}

/** Values of a field on the wire: text, numbers and null by identity, places by where they are. */
export function isSameValue(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  return isLocation(one) && isLocation(other) && one.lat === other.lat && one.lng === other.lng;
}
