/** Who is told of what by a notification, and of which change. */
import * as v from 'valibot';
import type { Location } from '#contract/fields.ts';
import {
  type PushArea,
  type PushKind,
  type PushMessage,
  pushKinds,
  pushMessageSchema,
} from '#contract/push.ts';
import type { Role } from '#contract/user.ts';
import { distanceMeters } from './distance.ts';
import { type Actor, type Decision, isOnOffer, type PackageFacts } from './policy.ts';

const kindsOfRole: Record<Role, readonly PushKind[]> = {
  Customer: ['accepted', 'delivered', 'rejected'],
  Employee: ['newPackage', 'assigned'],
  Admin: [],
};

/** The kinds that there are for a role, in the order of the switches. */
export function pushKindsOf(role: Role): readonly PushKind[] {
  return kindsOfRole[role];
}

type Moment = Pick<PackageFacts, 'status' | 'courierId'>;

/**
 * What a change of a package is news of; `before` null: it was made. Whom each is for: newPackage
 * for all couriers, assigned for its courier, the others for its sender; never for who did it.
 */
export function pushKindsOfChange(before: Moment | null, after: Moment): PushKind[] {
  const isNewOffer = isOnOffer(after) && !(before && isOnOffer(before));
  const isMoving = after.status === 'in-transit';
  const wasMoving = before?.status === 'in-transit';
  const isNewCourier = after.courierId !== null && after.courierId !== before?.courierId;
  const found: Record<PushKind, boolean> = {
    newPackage: isNewOffer,
    assigned: isMoving && isNewCourier,
    accepted: isMoving && !wasMoving && isNewCourier,
    delivered: after.status === 'delivered' && before?.status !== 'delivered',
    rejected: wasMoving && isNewOffer,
  };
  return pushKinds.filter((kind) => found[kind]);
}

/** What a push service has brought; null for what this version does not understand. */
export function readPushMessage(data: unknown): PushMessage | null {
  const parsed = v.safeParse(pushMessageSchema, data);
  return parsed.success ? parsed.output : null;
}

/** May be notified of these kinds: those of one's role. */
export function canBeToldOf(actor: Actor, kinds: readonly PushKind[]): Decision {
  const own = pushKindsOf(actor.role);
  const isOwn = kinds.every((kind) => own.includes(kind));
  return isOwn ? { isAllowed: true } : { isAllowed: false, code: 'forbidden' };
}

/**
 * Is a package with its pickup at `place` news for this area? Null is everywhere; a place that is
 * not known may be near, so that those in the area are told.
 */
export function isWithin(area: PushArea | null, place: Location | null): boolean {
  return area === null || place === null || distanceMeters(area, place) <= area.km * 1000;
}
