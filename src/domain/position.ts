/** Who sees where a courier is, how exactly and for how long (docs/decisions/0087-who-sees-a-position.md). */
import type { Location } from '#contract/fields.ts';
import { positionLifetimeMs } from '#contract/position.ts';
import type { Package } from './package.ts';
import { type PackageFacts, progressOf } from './policy.ts';

/** Three decimals of a degree are about 100 m; `+ 0` turns -0 into 0. */
const toHundredMetres = (degrees: number) => Math.round(degrees * 1e3) / 1e3 + 0;

/** A place as a recipient sees it. */
export function roundedForRecipient({ lat, lng }: Location): Location {
  return { lat: toHundredMetres(lat), lng: toHundredMetres(lng) };
}

/**
 * Whether the recipient of this package sees its courier: from the pick-up on, because before it,
 * and on the way back, the courier is where the sender lives.
 */
export function isSeenByRecipient(facts: Pick<PackageFacts, 'status' | 'progress'>): boolean {
  const progress = progressOf(facts);
  return progress === 'picked_up' || progress === 'arrived' || progress === 'attempted';
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

/** Positions of before are forgotten. */
export function oldestPosition(now: Date): Date {
  return new Date(now.getTime() - positionLifetimeMs);
}
