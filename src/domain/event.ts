/**
 * What recording an event does to a package, for the server, the phone's overlay and the fake
 * server alike. The policy decides who may record it, and from which step.
 */
import type { RecordEventBody, RecordedType } from '#contract/event.ts';
import { type StoredPackage, trackingAfter } from './package.ts';
import type { PatchReading } from './patch.ts';
import { type Actor, can, type PackageAction } from './policy.ts';

export type RecordedEvent = Pick<RecordEventBody, 'type' | 'reason' | 'note' | 'courierId'>;

export const actionOfEvent: Record<RecordedType, PackageAction> = {
  picked_up: 'pickUp',
  arrived: 'arrive',
  attempt_failed: 'failAttempt',
  return_started: 'startReturn',
  returned: 'finishReturn',
  delivered: 'deliver',
  handover: 'handOver',
};

type Effect = (pkg: StoredPackage, event: RecordedEvent, at: string) => Partial<StoredPackage>;

const effects: Record<RecordedType, Effect> = {
  picked_up: () => ({ progress: 'picked_up' }),
  arrived: () => ({ progress: 'arrived' }),
  attempt_failed: ({ attempts }, { reason = null }, at) => ({
    progress: 'attempted',
    attempts: attempts + 1,
    lastAttempt: { reason: reason ?? 'other', at },
  }),
  return_started: () => ({ progress: 'returning' }),
  returned: (pkg, _, at) => ({
    ...trackingAfter(pkg, 'cancelled', at),
    status: 'cancelled',
    outcome: 'returned',
  }),
  delivered: (pkg, _, at) => ({
    ...trackingAfter(pkg, 'delivered', at),
    status: 'delivered',
  }),
  handover: ({ courierId }, event) => ({ courierId: event.courierId ?? courierId }),
};

/** The package after the event, which happened at `at` (ISO 8601). */
export function applyEvent(pkg: StoredPackage, event: RecordedEvent, at: string): StoredPackage {
  return { ...pkg, ...effects[event.type](pkg, event, at), updatedAt: at };
}

/** Allowed only if the policy allows it. `at`: as for `applyEvent`. */
export function readEvent(
  actor: Actor,
  pkg: StoredPackage,
  event: RecordedEvent,
  at: string,
): PatchReading {
  const action = actionOfEvent[event.type];
  const decision = can(actor, action, pkg);
  if (!decision.isAllowed) return decision;
  return {
    isAllowed: true,
    actions: [action],
    next: applyEvent(pkg, event, at),
    changed: [],
    agreedTo: [],
  };
}
