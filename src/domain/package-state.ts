/** The state a package is in, as its row says. Pure. */
import type { Progress } from '#contract/event.ts';
import type { StoredPackage } from './package.ts';

/** No courier has it yet. */
export function isOnOffer({
  status,
  courierId,
}: Pick<StoredPackage, 'status' | 'courierId'>): boolean {
  return status === 'pending' && courierId === null;
}

type ProgressFacts = Pick<StoredPackage, 'status' | 'progress'>;

/** How far a package in transit is; null if it is not. */
export function progressOf({ status, progress }: ProgressFacts): Progress | null {
  return status === 'in-transit' ? (progress ?? 'accepted') : null;
}

const collectedSteps: readonly (Progress | null)[] = ['picked_up', 'arrived', 'attempted'];

/** Picked up, and not on its way back. */
export function isCollected(pkg: ProgressFacts): boolean {
  return collectedSteps.includes(progressOf(pkg));
}

/** May its recipient still be met? */
export function isComing(pkg: ProgressFacts): boolean {
  return pkg.status === 'pending' || progressOf(pkg) === 'accepted' || isCollected(pkg);
}

/** A return that its sender alone declared, while its money waits for a second word. */
export const isReturnClaimed = ({
  outcome,
  releaseAt,
}: Pick<StoredPackage, 'outcome' | 'releaseAt'>): boolean =>
  outcome === 'returned' && releaseAt !== null;
