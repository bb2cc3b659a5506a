import type { Area } from '#contract/area.ts';
import type { Location } from '#contract/fields.ts';
import { distanceMeters } from './distance.ts';
import { isOnOffer } from './package-state.ts';
import type { Actor, PackageFacts } from './policy.ts';

/** Does an offer at `place` concern this area? Null area: everywhere; null place: it may. */
export function isWithin(area: Area | null, place: Location | null): boolean {
  return area === null || place === null || distanceMeters(area, place) <= area.km * 1000;
}

/** The area that limits this reader's packages: for couriers the requested one, else none. */
export function areaFor({ role }: Pick<Actor, 'role'>, area: Area | undefined): Area | null {
  return role === 'Employee' && area !== undefined ? area : null;
}

/** Does the reader's area exclude this package? Only offers of others; own packages stay. */
export function isElsewhere(
  { id }: Pick<Actor, 'id'>,
  area: Area | null,
  facts: Pick<PackageFacts, 'senderId' | 'courierId' | 'status'>,
  pickupLocation: Location | null,
): boolean {
  return isOnOffer(facts) && facts.senderId !== id && !isWithin(area, pickupLocation);
}
