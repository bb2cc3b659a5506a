/** Who is told of what by a notification, and of which change. */
import * as v from 'valibot';
import {
  type PushArea,
  type PushKind,
  type PushMessage,
  pushKinds,
  pushMessageSchema,
} from '#contract/push.ts';
import type { Role } from '#contract/user.ts';
import type { PackageFacts } from './policy.ts';

/** A place on the earth, in degrees. */
export interface Place {
  lat: number;
  lng: number;
}

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

const isOnOffer = ({ status, courierId }: Moment) => status === 'pending' && courierId === null;

/**
 * What a change of a package is news of; `before` null: it was made. Whom each is for: newPackage
 * for all couriers, assigned for its courier, the others for its sender; never for who did it.
 */
export function newsOf(before: Moment | null, after: Moment): PushKind[] {
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

const earthRadiusKm = 6371;
const radians = (degrees: number) => (degrees * Math.PI) / 180;

/** Along the surface (haversine), in kilometres. */
export function distanceKm(from: Place, to: Place): number {
  const byLat = Math.sin(radians(to.lat - from.lat) / 2) ** 2;
  const byLng = Math.sin(radians(to.lng - from.lng) / 2) ** 2;
  const share = byLat + Math.cos(radians(from.lat)) * Math.cos(radians(to.lat)) * byLng;
  return 2 * earthRadiusKm * Math.asin(Math.sqrt(Math.min(1, share)));
}

/**
 * Is a package that is picked up at `place` news for this area? Null is everywhere; and a place
 * that nobody has marked may be near, so that those in the area are told.
 */
export function isWithin(area: PushArea | null, place: Place | null): boolean {
  return area === null || place === null || distanceKm(area, place) <= area.km;
}
