/** Visibility, precision and lifetime of positions (docs/decisions/0087-who-sees-a-position.md). */
import type { Location } from '#contract/fields.ts';
import { positionLifetimeMs } from '#contract/position.ts';
import type { Package } from './package.ts';
import { isCollected } from './package-state.ts';
import type { PackageFacts } from './policy.ts';

/** Three decimals of a degree are about 100 m; `+ 0` turns -0 into 0. */
const rounded = (degrees: number) => Math.round(degrees * 1e3) / 1e3 + 0;

/** Rounded, so that a place does not reveal an address. */
export const toHundredMetres = ({ lat, lng }: Location): Location => ({
  lat: rounded(lat),
  lng: rounded(lng),
});

const worstAccuracyMeters = 500;

/** The courier's place for a package's recipient, rounded; null: hidden. */
export function positionForRecipient(
  found: (Location & { at: Date; accuracy: number }) | null,
  facts: Pick<PackageFacts, 'status' | 'progress'>,
  now: Date,
): (Location & { at: string }) | null {
  // Before the pick-up and on the way back the courier is where the sender lives.
  if (!found || !isCollected(facts) || found.at <= oldestPosition(now)) return null;
  // A guess by the network would put the courier into another district.
  if (found.accuracy > worstAccuracyMeters) return null;
  return { ...toHundredMetres(found), at: found.at.toISOString() };
}

/** Whether they have a package in transit: only then do they share where they are. */
export function isCarryingAny(
  views: readonly Pick<Package, 'courier' | 'status'>[] | undefined,
  userId: string,
): boolean {
  return (
    views?.some(({ courier, status }) => status === 'in-transit' && courier?.id === userId) === true
  );
}

/** Older ones are forgotten. */
export function oldestPosition(now: Date): Date {
  return new Date(now.getTime() - positionLifetimeMs);
}
