/** A courier's working area: chosen once, for list, stream and notifications. */
import { useState } from 'react';
import type { Area } from '#contract/area.ts';
import { readWorkingArea } from '#db/working-area.ts';
import { readPosition } from '#state/position.ts';
import { type SignedIn, useSignedIn } from './services.ts';
import { useLive } from './use-live.ts';

export const radiiKm = [5, 10, 25] as const;

export const workingAreaOf = ({ db }: Pick<SignedIn, 'db'>) => readWorkingArea(db);

/** Rounds to about a kilometre on the phone, so that nothing more precise leaves it. */
const rounded = (degrees: number) => Math.round(degrees * 100) / 100;

/** Null: not allowed, or not found. */
async function locate(): Promise<Pick<Area, 'lat' | 'lng'> | null> {
  try {
    const { lat, lng } = await readPosition({ maximumAge: 600_000, timeout: 20_000 });
    return { lat: rounded(lat), lng: rounded(lng) };
  } catch {
    return null;
  }
}

/** Undefined while loading, or not wanted; null: everywhere. */
export function useWorkingArea(isWanted = true): Area | null | undefined {
  const { db } = useSignedIn();
  return useLive(`${db.name}/area ${isWanted}`, async () =>
    isWanted ? readWorkingArea(db) : undefined,
  );
}

export type AreaOutcome = 'chosen' | 'notLocated' | 'notSaved';

/** The position is requested once, on a tap, and stored rounded. */
export function useChooseArea(area: Area | null | undefined) {
  const { engine } = useSignedIn();
  const [isLocating, setIsLocating] = useState(false);

  /** Null: everywhere. `isHere`: around the current position, rather than where it was. */
  async function choose(km: number | null, isHere = false): Promise<AreaOutcome> {
    let centre: Pick<Area, 'lat' | 'lng'> | null = isHere ? null : (area ?? null);
    if (km !== null && centre === null) {
      setIsLocating(true);
      centre = await locate();
      setIsLocating(false);
      if (centre === null) return 'notLocated';
    }
    try {
      await engine.setWorkingArea(
        km === null || centre === null ? null : { lat: centre.lat, lng: centre.lng, km },
      );
      return 'chosen';
    } catch {
      return 'notSaved';
    }
  }

  return { isLocating, choose };
}
