/**
 * The device's position. The atom's value stays on the device: never sent, never stored.
 * A courier's shared position is read separately (app/background/position-sender.ts).
 */
import { atom } from 'jotai';
import type { Location } from '#contract/fields.ts';

export interface Position extends Location {
  /** Radius in metres at 95 % confidence. */
  accuracyMeters: number;
  /** ISO 8601. */
  at: string;
}

/** Null: unknown. */
export const positionAtom = atom<Position | null>(null);

export type Located =
  | { located: 'located'; position: Position }
  | { located: 'denied' | 'unavailable'; position?: never };

const positionOptions: PositionOptions = { maximumAge: 30_000, timeout: 15_000 };

/** May prompt the user. Rejects if it is denied or unavailable. */
export function readPosition(options = positionOptions): Promise<Position> {
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
      options,
    );
  });
}

const denied = 1;

/** Reads the position, which may prompt the user. A failure keeps the known one. */
export const locateAtom = atom(null, async (_, set): Promise<Located> => {
  if (!('geolocation' in navigator)) return { located: 'unavailable' };
  try {
    const position = await readPosition();
    set(positionAtom, position);
    return { located: 'located', position };
  } catch (error) {
    const { code } = error as Partial<GeolocationPositionError>;
    return { located: code === denied ? 'denied' : 'unavailable' };
  }
});

/** Whether reading would not prompt. */
export async function isPositionGranted(): Promise<boolean> {
  try {
    return (await navigator.permissions.query({ name: 'geolocation' })).state === 'granted';
  } catch {
    // Safari before 16 has no Permissions API.
    return false;
  }
}
