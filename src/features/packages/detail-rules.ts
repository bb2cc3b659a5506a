/** What a package's page leads with, for whom. Pure. */

import { attemptReasons, type Progress, type ReasonCode } from '#contract/event.ts';
import type { PackageView } from '#domain/overlay.ts';
import {
  type Actor,
  can,
  factsOf,
  isOnOffer,
  type PackageAction,
  packageActions,
  progressOf,
} from '#domain/policy.ts';

export type Primary =
  | 'accept'
  | 'pickUp'
  | 'arrive'
  | 'finishReturn'
  | 'deliver'
  | 'pay'
  | 'assign'
  | 'again'
  | 'none';

/** The one action at the thumb. Something that waits to be sent is neither paid nor assigned. */
export function primaryOf(actor: Actor, view: PackageView): Primary {
  const facts = factsOf(view);
  const may = (action: PackageAction) => can(actor, action, facts).isAllowed;
  const isSender = facts.senderId === actor.id;
  const isSent = view.mark !== 'waiting';
  // An incomplete profile is said when it is pressed.
  if (actor.role === 'Employee' && !isSender && isOnOffer(facts)) return 'accept';
  if (facts.courierId === actor.id) {
    const next = (['pickUp', 'arrive', 'deliver', 'finishReturn'] as const).find(may);
    if (next) return next;
  }
  // Also in transit: whoever chooses a courier goes on choosing as another dispatcher assigns one.
  const isOpen = facts.status === 'pending' || facts.status === 'in-transit';
  if (isSent && isOpen && may('assign')) return 'assign';
  if (isSender && isSent && view.paymentStatus === 'unpaid' && may('pay')) return 'pay';
  if (!isSender) return 'none';
  if (may('finishReturn')) return 'finishReturn';
  if (may('deliver')) return 'deliver';
  return facts.status === 'delivered' || facts.status === 'cancelled' ? 'again' : 'none';
}

/** Where it goes next, for who carries it or may; others follow what has become of it. */
export function leadsWithStop(actor: Actor, view: PackageView): boolean {
  const isOpen = view.status === 'pending' || view.status === 'in-transit';
  return actor.role === 'Employee' && view.sender.id !== actor.id && isOpen;
}

/** What the policy allows this reader: where it changes, buttons come and go. */
export function allowedTo(actor: Actor, view: PackageView): string {
  const facts = factsOf(view);
  return packageActions.filter((action) => can(actor, action, facts).isAllowed).join(' ');
}

/** Asked once with the delivery; what was paid before is not asked about. */
export function isCashDue(actor: Actor, view: PackageView): boolean {
  return (
    view.paymentMethod === 'cash' &&
    view.paymentStatus === 'unpaid' &&
    can(actor, 'setPaymentStatus', factsOf(view)).isAllowed
  );
}

/** Of the last failed attempt; null: none, or a reason of a later version. */
export function reasonOf({ lastAttempt }: PackageView): ReasonCode | null {
  const reason = lastAttempt?.reason ?? '';
  return Object.hasOwn(attemptReasons, reason) ? (reason as ReasonCode) : null;
}

export interface TimelineStep {
  name: 'created' | 'accepted' | 'pickedUp' | 'attempted' | 'delivered' | 'cancelled' | 'returned';
  isDone: boolean;
  /** ISO 8601: when it happened or is due; null: not recorded. */
  at: string | null;
}

const collected: ReadonlySet<Progress | null> = new Set([
  ...(['picked_up', 'arrived', 'attempted', 'returning'] as const),
]);

/** From what the row knows, so that it is there without a network. */
export function timelineOf(view: PackageView): TimelineStep[] {
  const { status, attempts, lastAttempt, deliveredAt, outcome } = view;
  const created: TimelineStep = { name: 'created', isDone: true, at: view.createdAt };
  const attempted: TimelineStep[] =
    attempts > 0 ? [{ name: 'attempted', isDone: true, at: lastAttempt?.at ?? null }] : [];
  if (status === 'cancelled') {
    const name = outcome === 'returned' ? 'returned' : 'cancelled';
    return [created, ...attempted, { name, isDone: true, at: null }];
  }
  const isDelivered = status === 'delivered';
  const isAccepted = status !== 'pending' && !view.isAcceptRequested;
  const progress = progressOf(factsOf(view));
  const steps: TimelineStep[] = [
    created,
    { name: 'accepted', isDone: isAccepted || isDelivered, at: null },
  ];
  if (collected.has(progress)) steps.push({ name: 'pickedUp', isDone: true, at: null });
  steps.push(...attempted);
  if (progress === 'returning') return [...steps, { name: 'returned', isDone: false, at: null }];
  const at = isDelivered ? deliveredAt : view.deliveryDate;
  return [...steps, { name: 'delivered', isDone: isDelivered, at }];
}
