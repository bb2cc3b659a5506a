/** Disputes: kinds, time limit, and the money that a decision moves. Pure. */
import { type DisputeKind, disputeHours, disputeKinds } from '#contract/dispute.ts';
import type { WireEvent } from '#contract/event.ts';
import { isDecidedAfter } from '#domain/event.ts';
import { shareKoboOf } from '#domain/money.ts';
import type { PackageView } from '#domain/overlay.ts';
import { type Actor, can, factsOf } from '#domain/policy.ts';

/** A courier knows whether it arrived and whether they were there. */
const senderOnly: ReadonlySet<DisputeKind> = new Set(['not_received', 'false_attempt']);

export function disputeKindsOf(isSender: boolean): readonly DisputeKind[] {
  return disputeKinds.filter((kind) => isSender || !senderOnly.has(kind));
}

/** ms since 1970: how long a problem can be reported. */
export function reportableUntilMs(view: Pick<PackageView, 'deliveredAt' | 'updatedAt'>): number {
  return Date.parse(view.deliveredAt ?? view.updatedAt) + disputeHours * 3_600_000;
}

/** The held amount that a decision divides, in kobo; 0: nothing is held. */
export function heldKoboOf(view: PackageView): number {
  const { paymentMethod, paymentStatus, paidOutKobo, priceOfferKobo } = view;
  const isHeld =
    paymentMethod === 'app' && paymentStatus === 'paid' && typeof paidOutKobo !== 'number';
  return isHeld ? priceOfferKobo : 0;
}

/**
 * The amount in kobo that a decision moves after a payout, so that the courier ends with this
 * percentage; negative: from the courier back to the sender. 0: nothing, as for cash.
 */
export function settledKoboOf(view: PackageView, courierPercent: number): number {
  const { paymentMethod, paidOutKobo, priceOfferKobo } = view;
  if (paymentMethod !== 'app' || typeof paidOutKobo !== 'number') return 0;
  return shareKoboOf(priceOfferKobo, courierPercent) - paidOutKobo;
}

/** Is money of it still there to decide about: held, or paid out in the app? */
export const isInBooks = (view: PackageView): boolean =>
  view.paymentMethod === 'app' &&
  (view.paymentStatus === 'paid' || typeof view.paidOutKobo === 'number');

/**
 * The server's clock decides; while money is held, a problem can be reported. Not after a decision,
 * which shows in `events` as far as this phone has them.
 */
export function mayReport(
  actor: Actor,
  view: PackageView,
  { nowMs, events = [] }: { nowMs: number; events?: readonly WireEvent[] | undefined },
): boolean {
  if (isDecidedAfter(events)) return false;
  const isParty = view.sender.id === actor.id || view.courier?.id === actor.id;
  const isWaiting = view.releaseAt !== null && nowMs < Date.parse(view.releaseAt);
  const isFresh = nowMs < reportableUntilMs(view) || isWaiting || view.photosMissing > 0;
  return isParty && isFresh && can(actor, 'dispute', factsOf(view)).isAllowed;
}
