/** A package's next stop, due time and distance. Pure. */
import { isOverdue } from './dates.ts';
import { distanceMeters } from './distance.ts';
import type { Package } from './package.ts';
import { progressOf } from './package-state.ts';

export const stopNames = ['pickup', 'delivery'] as const;
export type StopName = (typeof stopNames)[number];

type Dates = Pick<Package, 'pickupDate' | 'deliveryDate'>;
/** A plan without a package is pending. */
export type Moving = Dates & ({ status: 'pending' } | Pick<Package, 'status' | 'progress'>);

/** The pickup until it is picked up, then the delivery; the way back ends at the pickup. Final: null. */
export function nextStop(pkg: Moving): StopName | null {
  if (pkg.status === 'pending') return 'pickup';
  const progress = progressOf(pkg);
  if (progress === null) return null;
  return progress === 'accepted' || progress === 'returning' ? 'pickup' : 'delivery';
}

/** ISO 8601: when the package has to be at its next stop; null: final, or no time was agreed. */
export function dueAt(pkg: Moving): string | null {
  const stop = nextStop(pkg);
  const isReturning = pkg.status !== 'pending' && progressOf(pkg) === 'returning';
  return stop && !isReturning ? pkg[`${stop}Date`] : null;
}

/** More than a quarter of an hour behind the time of its next stop. */
export function isLate(pkg: Moving, nowMs: number): boolean {
  return isOverdue(dueAt(pkg), nowMs);
}

/** Metres from pickup to delivery as the crow flies; null without both pins. */
export function tripMeters({ pickupLocation, deliveryLocation }: Package): number | null {
  return pickupLocation && deliveryLocation
    ? distanceMeters(pickupLocation, deliveryLocation)
    : null;
}
