/** What a package's page leads with, for whom. Pure. */
import { attemptReasons } from '#contract/event.ts';
import { callLink } from '#domain/contact-links.ts';
import type { PackageView } from '#domain/overlay.ts';
import {
  type Actor,
  can,
  factsOf,
  isCollected,
  isOnOffer,
  type PackageAction,
  packageActions,
  progressOf,
} from '#domain/policy.ts';
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
 * Nothing is due for what goes back, nor in the app while a dispatcher decides on a problem or once
 * the money went back.
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
  // An incomplete profile is said when it is pressed.
  if (actor.role === 'Employee' && !isSender && isOnOffer(facts)) return 'accept';
  if (facts.courierId === actor.id) {
    // What can't be delivered any more goes back.
    if (may('startReturn') && !mayRetry(view)) return 'startReturn';
    const next = (['pickUp', 'arrive', 'deliver', 'finishReturn'] as const).find(may);
    if (next) return next;
  }
  // Also in transit: a dispatcher goes on choosing as another assigns a courier.
  const isOpen = facts.status === 'pending' || facts.status === 'in-transit';
  if (isSent && isOpen && may('assign')) return 'assign';
  if (isSender && isSent && isPaymentDue(view) && may('pay')) return 'pay';
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

/** Who carries it is called from the bar, by all but themselves. */
export function canCallCourier({ id }: Actor, { status, courier }: PackageView): boolean {
  const isWithAnother = status === 'in-transit' && courier !== null && courier.id !== id;
  return isWithAnother && courier.phoneNumber !== null && callLink(courier.phoneNumber) !== null;
}

export type BesideStep = 'deliver' | 'arrive' | 'failAttempt' | 'addProof' | 'startReturn';
export type ApartStep = 'deliver' | 'startReturn' | 'finishReturn' | 'reject';

/**
 * Where the steps stand that the policy allows, but for the one at the thumb: beside that, or apart
 * at the end, because it undoes something or is another's to do first.
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
    // Nothing offers the end of what has not begun.
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

/** Where it goes next, for who carries it or may; others follow what has become of it. */
export function leadsWithStop(actor: Actor, view: PackageView): boolean {
  const isOpen = view.status === 'pending' || view.status === 'in-transit';
  return actor.role === 'Employee' && view.sender.id !== actor.id && isOpen;
}

/** Who has it and when it comes or came, for the sender once a courier carries it. */
export function leadsWithProgress(actor: Actor, view: PackageView): boolean {
  const isSender = view.sender.id === actor.id && actor.role !== 'Admin';
  const isCarried = view.status === 'in-transit' && view.courier !== null;
  return isSender && (isCarried || view.status === 'delivered');
}

/** From where to where, for who oversees it. */
export const leadsWithRoute = (actor: Actor): boolean => actor.role === 'Admin';

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
