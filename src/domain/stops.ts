/** Where a package has to be next, by when, and how far it goes. Pure. */
import { isOverdue } from './dates.ts';
import { distanceMeters } from './distance.ts';
import type { Package } from './package.ts';

export const stopNames = ['pickup', 'delivery'] as const;
export type StopName = (typeof stopNames)[number];

type Dates = Pick<Package, 'pickupDate' | 'deliveryDate'>;
/** What is only planned is pending. */
export type Moving = Dates & ({ status: 'pending' } | Pick<Package, 'status' | 'updatedAt'>);

/** That a package was collected is not recorded: after this long it is taken to be on its way. */
const collectingMs = 60 * 60_000;

/**
 * Pending: the pickup. In transit: the pickup until an hour after its time, or after the last change
 * (the acceptance) if that is later; then the delivery. Final: null.
 */
export function nextStop(pkg: Moving, nowMs: number): StopName | null {
  if (pkg.status === 'pending') return 'pickup';
  if (pkg.status !== 'in-transit') return null;
  const collectedAtMs = Math.max(Date.parse(pkg.pickupDate), Date.parse(pkg.updatedAt));
  return nowMs < collectedAtMs + collectingMs ? 'pickup' : 'delivery';
}

/** ISO 8601: when the package has to be at its next stop; null: final, or no time was agreed. */
export function dueAt(pkg: Moving, nowMs: number): string | null {
  const stop = nextStop(pkg, nowMs);
  return stop && pkg[`${stop}Date`];
}

/** More than a quarter of an hour behind the time of its next stop. */
export function isLate(pkg: Moving, nowMs: number): boolean {
  return isOverdue(dueAt(pkg, nowMs), nowMs);
}

/** Metres from pickup to delivery as the crow flies; null without both pins. */
export function tripMeters({ pickupLocation, deliveryLocation }: Package): number | null {
  return pickupLocation && deliveryLocation
    ? distanceMeters(pickupLocation, deliveryLocation)
    : null;
}
