/**
 * Where this phone is. It is used on the phone alone: no call to the server carries it, and nothing
 * keeps it beyond the page.
 */
import { atom } from 'jotai';
import type { Location } from '#contract/fields.ts';

export interface Position extends Location {
  /** Radius of the circle that it is in with 95 % certainty. */
  accuracyMeters: number;
  /** ISO 8601. */
  at: string;
}

/** Null: not known, or not yet. */
export const positionAtom = atom<Position | null>(null);

export type Located =
  | { located: 'located'; position: Position }
  | { located: 'denied' | 'unavailable'; position?: never };

const positionOptions: PositionOptions = { maximumAge: 30_000, timeout: 15_000 };

function read(): Promise<Position> {
  return new Promise((resolve, reject) => {
    navigator.geolocation.getCurrentPosition(
      ({ coords, timestamp }) =>
        resolve({
          lat: coords.latitude,
          lng: coords.longitude,
          accuracyMeters: coords.accuracy,
          at: new Date(timestamp).toISOString(),
        }),
      reject,
      positionOptions,
    );
  });
}

const denied = 1;

/** Reads it anew; the browser asks the person where it has not yet. A failure leaves what is known. */
export const locateAtom = atom(null, async (_, set): Promise<Located> => {
  if (!('geolocation' in navigator)) return { located: 'unavailable' };
  try {
    const position = await read();
    set(positionAtom, position);
    return { located: 'located', position };
  } catch (error) {
    const { code } = error as Partial<GeolocationPositionError>;
    return { located: code === denied ? 'denied' : 'unavailable' };
  }
});

/** Whether reading it would ask nobody: the person has allowed it before. */
export async function isPositionGranted(): Promise<boolean> {
  try {
    return (await navigator.permissions.query({ name: 'geolocation' })).state === 'granted';
  } catch {
    // Safari before 16 has no permissions to ask for.
    return false;
  }
}
