/** The primary content and action of a package's page, per reader. Pure. */
import { attemptReasons } from '#contract/event.ts';
import { callLink } from '#domain/contact-links.ts';
import type { PackageView } from '#domain/overlay.ts';
import { isCollected, isOnOffer, isReturnClaimed, progressOf } from '#domain/package-state.ts';
import { type Actor, can, factsOf, type PackageAction, packageActions } from '#domain/policy.ts';
import { heldKoboOf } from './dispute-rules.ts';
import { reasonOf } from './timeline-rules.ts';

type Primary =
  | 'accept'
  | 'pickUp'
  | 'arrive'
  | 'startReturn'
  | 'finishReturn'
  | 'deliver'
  | 'pay'
  | 'confirm'
  | 'assign'
  | 'sendLink'
  | 'edit'
  | 'again'
  | 'next'
  | 'none';

function mayRetry({ lastAttempt }: PackageView): boolean {
  const reason = reasonOf(lastAttempt?.reason);
  return reason === null || attemptReasons[reason].canRetry;
}

/**
 * Nothing is due during a return, nor in the app while a dispatcher decides on a problem or after a
 * refund.
 */
export function isPaymentDue(view: PackageView): boolean {
  const { dispute, paidOutKobo, paymentMethod, paymentStatus } = view;
  const isFrozen = paymentMethod === 'app' && (dispute !== null || paidOutKobo === 0);
  return paymentStatus === 'unpaid' && !isFrozen && progressOf(view) !== 'returning';
}

/** The one action at the thumb. Something that waits to be sent is neither paid nor assigned. */
export function primaryOf(actor: Actor, view: PackageView): Primary {
  const facts = factsOf(view);
  const may = (action: PackageAction) => can(actor, action, facts).isAllowed;
  const isSender = facts.senderId === actor.id;
  const isSent = view.mark !== 'waiting';
  // Pressing it reports an incomplete profile.
  if (actor.role === 'Employee' && !isSender && isOnOffer(facts)) return 'accept';
  if (facts.courierId === actor.id) {
    // A package that can no longer be delivered goes back.
    if (may('startReturn') && !mayRetry(view)) return 'startReturn';
    const next = (['pickUp', 'arrive', 'deliver', 'finishReturn'] as const).find(may);
    if (next) return next;
  }
  // Also in transit: a dispatcher's open choice survives another one's assignment.
  const isOpen = facts.status === 'pending' || facts.status === 'in-transit';
  if (isSent && isOpen && may('assign')) return 'assign';
  if (isSender && isSent && isPaymentDue(view) && may('pay')) return 'pay';
  // A return declared by the sender waits for the courier, missing photos for a dispatcher.
  const isWaited = isReturnClaimed(facts) || (view.photosMissing > 0 && heldKoboOf(view) > 0);
  if (!isSender && isSent && isWaited && !view.dispute && may('confirm')) return 'confirm';
  if (facts.courierId === actor.id && !isOpen) return 'next';
  // With a problem reported it is a dispatcher's turn.
  if (!isSender || view.dispute) return 'none';
  // Once the money is paid out or divided, the sender's word moves nothing.
  if (isSent && view.paidOutKobo === null && may('confirm')) return 'confirm';
  if (facts.status === 'pending') {
    return view.dropoffCode || view.trackingPath ? 'sendLink' : may('editLate') ? 'edit' : 'none';
  }
  if (may('finishReturn')) return 'finishReturn';
  if (may('deliver') && isCollected(facts)) return 'deliver';
  return facts.status === 'delivered' || facts.status === 'cancelled' ? 'again' : 'none';
}

/** Everybody but the courier can call the courier from the bar. */
export function canCallCourier({ id }: Actor, { status, courier }: PackageView): boolean {
  const isWithAnother = status === 'in-transit' && courier !== null && courier.id !== id;
  return isWithAnother && courier.phoneNumber !== null && callLink(courier.phoneNumber) !== null;
}

export type BesideStep = 'deliver' | 'arrive' | 'failAttempt' | 'addProof' | 'startReturn';
export type ApartStep = 'deliver' | 'startReturn' | 'finishReturn' | 'reject';

/**
 * Places the allowed steps other than the primary one: beside it, or apart at the end if a step
 * undoes something or is another person's to do first.
 */
export function stepsOf(
  actor: Actor,
  view: PackageView,
): { isDeliverInBar: boolean; beside: BesideStep[]; apart: ApartStep[] } {
  const facts = factsOf(view);
  const primary = primaryOf(actor, view);
  const may = (step: PackageAction) => can(actor, step, facts).isAllowed;
  const left = <Step extends PackageAction>(...steps: Step[]) =>
    steps.filter((step) => step !== primary && may(step));
  if (facts.courierId !== actor.id) {
    // Deliver is offered only after the pickup.
    const isDeliverInBar = primary === 'assign' && may('deliver') && isCollected(facts);
    const deliver = isDeliverInBar ? [] : left('deliver');
    return {
      isDeliverInBar,
      beside: [],
      apart: [...deliver, ...left('startReturn', 'finishReturn')],
    };
  }
  // At the door: with a code it is asked for anyway.
  const isProofWelcome =
    view.handover === 'none' && may('deliver') && progressOf(facts) !== 'accepted';
  const addProof = isProofWelcome ? ['addProof' as const] : [];
  return {
    isDeliverInBar: false,
    beside: [...left('startReturn', 'deliver', 'arrive', 'failAttempt'), ...addProof],
    // Dispatchers have it on the Dispatch card.
    apart: actor.role === 'Admin' ? [] : left('reject'),
  };
}

/** Couriers read the next stop first, others the progress. */
export function leadsWithStop(actor: Actor, view: PackageView): boolean {
  const isOpen = view.status === 'pending' || view.status === 'in-transit';
  return actor.role === 'Employee' && view.sender.id !== actor.id && isOpen;
}

/** Senders read the courier and the arrival first, once a courier carries the package. */
export function leadsWithProgress(actor: Actor, view: PackageView): boolean {
  const isSender = view.sender.id === actor.id && actor.role !== 'Admin';
  const isCarried = view.status === 'in-transit' && view.courier !== null;
  return isSender && (isCarried || view.status === 'delivered');
}

/** Dispatchers read the route first. */
export const leadsWithRoute = (actor: Actor): boolean => actor.role === 'Admin';

/** This reader's allowed actions as a string; a change of it means that buttons come or go. */
export function allowedTo(actor: Actor, view: PackageView): string {
  const facts = factsOf(view);
  return packageActions.filter((action) => can(actor, action, facts).isAllowed).join(' ');
}

/** Asked once with the delivery, not if it is paid already. */
export function isCashDue(actor: Actor, view: PackageView): boolean {
  return (
    view.paymentMethod !== 'app' &&
    view.paymentStatus === 'unpaid' &&
    can(actor, 'setPaymentStatus', factsOf(view)).isAllowed
  );
}
