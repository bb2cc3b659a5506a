import * as v from 'valibot';
import {
  type NewsKind,
  newsKinds,
  type PushKind,
  type PushMessage,
  pushMessageSchema,
} from '#contract/push.ts';
import type { Role } from '#contract/user.ts';
import type { StoredPackage } from './package.ts';
import { isOnOffer } from './package-state.ts';
import type { Actor, Decision, PackageFacts } from './policy.ts';

const kindsOfRole: Record<Role, readonly PushKind[]> = {
  Customer: ['accepted', 'delivered', 'rejected'],
  Employee: ['newPackage', 'assigned'],
  Admin: [],
};

/** The kinds for a role, in the order of the switches. */
export function pushKindsOf(role: Role): readonly PushKind[] {
  return kindsOfRole[role];
}

/** The steps are absent where a change cannot touch them. */
export type Moment = Pick<PackageFacts, 'status' | 'courierId'> &
  Partial<Pick<StoredPackage, 'progress' | 'attempts' | 'outcome'>>;

/** The subscribable kind that covers this news. */
export function pushKindOf(news: NewsKind): PushKind {
  if (news === 'pickedUp') return 'accepted';
  return news === 'attemptFailed' || news === 'returned' ? 'delivered' : news;
}

/**
 * The notifications of a change; `before` null: created. newPackage goes to all couriers, assigned
 * to its courier, the others to its sender; never to the person who made the change.
 */
export function newsOfChange(before: Moment | null, after: Moment): NewsKind[] {
  const isNewOffer = isOnOffer(after) && !(before && isOnOffer(before));
  const isMoving = after.status === 'in-transit';
  const wasMoving = before?.status === 'in-transit';
  const isNewCourier = after.courierId !== null && after.courierId !== before?.courierId;
  const found: Record<NewsKind, boolean> = {
    newPackage: isNewOffer,
    assigned: isMoving && isNewCourier,
    accepted: isMoving && !wasMoving && isNewCourier,
    delivered: after.status === 'delivered' && before?.status !== 'delivered',
    rejected: wasMoving && isNewOffer,
    pickedUp:
      wasMoving && after.progress === 'picked_up' && (before.progress ?? 'accepted') === 'accepted',
    attemptFailed: isMoving && (after.attempts ?? 0) > (before?.attempts ?? 0),
    returned: after.outcome === 'returned' && before?.outcome !== 'returned',
  };
  return newsKinds.filter((kind) => found[kind]);
}

/** The payload of a push event; null if this version does not understand it. */
export function readPushMessage(data: unknown): PushMessage | null {
  const parsed = v.safeParse(pushMessageSchema, data);
  return parsed.success ? parsed.output : null;
}

/** May subscribe to these kinds: those of one's role. */
export function canBeToldOf(actor: Actor, kinds: readonly PushKind[]): Decision {
  const own = pushKindsOf(actor.role);
  const isOwn = kinds.every((kind) => own.includes(kind));
  return isOwn ? { isAllowed: true } : { isAllowed: false, code: 'forbidden' };
}
