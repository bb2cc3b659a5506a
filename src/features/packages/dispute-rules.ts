/** Who may say what is wrong, and until when. Pure. */
import { type DisputeKind, disputeHours, disputeKinds } from '#contract/dispute.ts';
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

/** What a decision divides; 0: nothing is held. */
export function heldKoboOf(view: PackageView): number {
  const { paymentMethod, paymentStatus, paidOutKobo, priceOfferKobo } = view;
  const isHeld =
    paymentMethod === 'app' && paymentStatus === 'paid' && typeof paidOutKobo !== 'number';
  return isHeld ? priceOfferKobo : 0;
}

/** The server's clock decides. */
export function mayReport(actor: Actor, view: PackageView, nowMs: number): boolean {
  const isParty = view.sender.id === actor.id || view.courier?.id === actor.id;
  const isFresh = nowMs < reportableUntilMs(view);
  return isParty && isFresh && can(actor, 'dispute', factsOf(view)).isAllowed;
}
