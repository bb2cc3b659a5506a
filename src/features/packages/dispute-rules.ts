/** Who may say what is wrong, and until when. Pure. */
import { type DisputeKind, disputeHours, disputeKinds } from '#contract/dispute.ts';
import type { PackageView } from '#domain/overlay.ts';
import { type Actor, can, factsOf } from '#domain/policy.ts';

/** A courier knows whether it arrived and whether they were there. */
const senderOnly: ReadonlySet<DisputeKind> = new Set(['not_received', 'false_attempt']);

export function disputeKindsOf(isSender: boolean): readonly DisputeKind[] {
  return disputeKinds.filter((kind) => isSender || !senderOnly.has(kind));
}

/** The server's clock decides. */
export function mayReport(actor: Actor, view: PackageView, nowMs: number): boolean {
  const isParty = view.sender.id === actor.id || view.courier?.id === actor.id;
  const endedMs = Date.parse(view.deliveredAt ?? view.updatedAt);
  const isFresh = nowMs - endedMs < disputeHours * 3_600_000;
  return isParty && isFresh && can(actor, 'dispute', factsOf(view)).isAllowed;
}

/** Held beyond the delivery. */
export const isStillHeld = ({ releaseAt, dispute }: Pick<PackageView, 'releaseAt' | 'dispute'>) =>
  Boolean(releaseAt || dispute);
