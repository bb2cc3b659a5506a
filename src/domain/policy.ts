/**
 * Permissions. The server enforces these functions and the screens use them to show actions, so the
 * two cannot disagree. Pure: facts in, decision out.
 *
 *   pending ──accept/assign──▶ in-transit ──deliver──▶ delivered
 *      │ ◀──────reject──────────┘
 *      └──cancel──▶ cancelled          (an admin may also cancel in transit, and reopen what is final)
 */
import type { ErrorCode } from '#contract/errors.ts';
import type { Progress } from '#contract/event.ts';
import type { PackageField, PaymentMethod, PaymentStatus } from '#contract/package.ts';
import type { Role } from '#contract/user.ts';
import { noVersion } from '#contract/version.ts';
import type { Package, StoredPackage } from './package.ts';
import { packageFields } from './package-fields.ts';
import { isCollected, isComing, isOnOffer, isReturnClaimed, progressOf } from './package-state.ts';

export interface Actor {
  id: string;
  role: Role;
  isProfileComplete: boolean;
}

/** The facts a decision needs; no more, so that the server can decide from one row. */
export type PackageFacts = Omit<
  Pick<StoredPackage, keyof ReturnType<typeof factsOf>>,
  'version'
> & {
  /** `noVersion`: of a server that knows no steps. */
  version?: number;
};

export const packageActions = [
  'view',
  'viewContacts',
  'edit',
  'editLate',
  'accept',
  'assign',
  'reject',
  'pickUp',
  'arrive',
  'failAttempt',
  'startReturn',
  'finishReturn',
  'handOver',
  'deliver',
  'confirm',
  'correct',
  'cancel',
  'reopen',
  'delete',
  'setPaymentStatus',
  'pay',
  'refund',
  'dispute',
  'resolve',
  'replaceTracking',
] as const;
export type PackageAction = (typeof packageActions)[number];

export type Refusal = Extract<
  ErrorCode,
  | 'not_found'
  | 'forbidden'
  | 'already_assigned'
  | 'courier_assigned'
  | 'courier_required'
  | 'disputed'
  | 'invalid_state'
  | 'paid_out'
  | 'picked_up'
  | 'profile_incomplete'
  | 'proof_required'
  | 'wrong_code'
  | 'code_locked'
  | 'too_late'
>;

export type Decision = { isAllowed: true } | { isAllowed: false; code: Refusal };

const yes: Decision = { isAllowed: true };
const no = (code: Refusal): Decision => ({ isAllowed: false, code });
export const when = (isAllowed: boolean, code: Refusal): Decision => (isAllowed ? yes : no(code));

export function factsOf(pkg: Package) {
  return {
    senderId: pkg.sender.id,
    courierId: pkg.courier?.id ?? null,
    status: pkg.status,
    paymentMethod: pkg.paymentMethod,
    progress: pkg.progress,
    outcome: pkg.outcome,
    dispute: pkg.dispute,
    paidOutKobo: pkg.paidOutKobo,
    verifiedBy: pkg.verifiedBy,
    version: pkg.version,
    releaseAt: pkg.releaseAt,
  };
}

/** The action that an edit of these fields needs. */
export function editActionOf(changed: readonly PackageField[]): 'edit' | 'editLate' {
  return changed.every((field) => packageFields[field].isLate) ? 'editLate' : 'edit';
}

function canView(actor: Actor, facts: PackageFacts): boolean {
  if (actor.role === 'Admin' || facts.senderId === actor.id) return true;
  return actor.role === 'Employee' && (facts.courierId === actor.id || isOnOffer(facts));
}

/**
 * Accepting checks the state before visibility: every courier saw the offer, and a late one gets
 * 'already assigned'.
 */
function canAccept(actor: Actor, facts: PackageFacts): Decision {
  if (actor.role !== 'Employee' || facts.senderId === actor.id) {
    return no(canView(actor, facts) ? 'forbidden' : 'not_found');
  }
  if (facts.courierId !== null) return no('already_assigned');
  if (facts.status !== 'pending') return no('invalid_state');
  return when(actor.isProfileComplete, 'profile_incomplete');
}

type Rule = (actor: Actor, facts: PackageFacts) => Decision;
type Rules = Record<Exclude<PackageAction, 'view' | 'accept'>, Rule>;

const forbidden: Rule = () => no('forbidden');
const always: Rule = () => yes;
const whileAt =
  (...steps: readonly Progress[]): Rule =>
  (_, facts) => {
    const progress = progressOf(facts);
    return when(progress !== null && steps.includes(progress), 'invalid_state');
  };
/** Until it is on its way back. */
const onTheWay: Rule = (_, facts) =>
  when(facts.status === 'in-transit' && isComing(facts), 'invalid_state');
const collected: Rule = (_, facts) => when(isCollected(facts), 'invalid_state');
const rejectByCourier: Rule = (actor, facts) =>
  facts.status === 'in-transit' && progressOf(facts) !== 'accepted'
    ? no('picked_up')
    : inTransitOnly(actor, facts);

const inTransitOnly: Rule = (_, facts) => when(facts.status === 'in-transit', 'invalid_state');
const whileOnOffer: Rule = (_, facts) => when(isOnOffer(facts), 'invalid_state');
const whileUnassigned: Rule = (_, facts) => when(facts.courierId === null, 'courier_assigned');

/** Delivered, but a dispatcher decided that all of the money goes back: that is the end. */
const isRefunded = ({ status, paidOutKobo }: PackageFacts) =>
  status === 'delivered' && paidOutKobo === 0;

/** The sender's own word, where neither that nor the recipient's code or scan has said so yet. */
const confirmBySender: Rule = (_, facts) => {
  const { status, verifiedBy } = facts;
  const isKnown = verifiedBy === 'code' || verifiedBy === 'qr' || verifiedBy === 'sender';
  return when(status === 'delivered' && !isKnown && !isRefunded(facts), 'invalid_state');
};
/** The second word on it: the courier's, or a dispatcher's. */
const whileReturnClaimed: Rule = (_, facts) => when(isReturnClaimed(facts), 'invalid_state');
const confirmByCourier: Rule = (actor, facts) =>
  facts.senderId === actor.id
    ? confirmBySender(actor, facts)
    : asAssignedCourier(facts.outcome === 'returned' ? whileReturnClaimed : forbidden)(
        actor,
        facts,
      );
/** Also for a delivery that nothing but its courier's word, or a picture, speaks for. */
const confirmByDispatcher: Rule = (actor, facts) => {
  if (facts.senderId === actor.id) return confirmBySender(actor, facts);
  const isOpen = facts.verifiedBy === null || facts.verifiedBy === 'photo';
  const isDelivered = facts.status === 'delivered' && isOpen && !isRefunded(facts);
  return when(isDelivered || isReturnClaimed(facts), 'invalid_state');
};
/** Taking back a step: which one decides, too (domain/event). */
const whileItMoves: Rule = (_, { status }) =>
  when(status === 'in-transit' || status === 'delivered', 'invalid_state');

const asAssignedCourier =
  (rule: Rule): Rule =>
  (actor, facts) =>
    facts.courierId === actor.id ? rule(actor, facts) : no('forbidden');

const asCourierOrSender =
  (rule: Rule): Rule =>
  (actor, facts) =>
    facts.courierId === actor.id || facts.senderId === actor.id
      ? rule(actor, facts)
      : no('forbidden');

/** Money of an 'app' package moves through the ledger only. */
const onlyBy =
  (method: PaymentMethod): Rule =>
  (_, facts) =>
    // Without a method, as paid in cash.
    when(
      (facts.paymentMethod ?? 'cash') === method && facts.status !== 'cancelled',
      'invalid_state',
    );
const cashOnly = onlyBy('cash');
const appOnly = onlyBy('app');
/** Once all of it went back, by a decision, the delivery is paid no more. */
const payOnce: Rule = (actor, facts) =>
  isRefunded(facts) ? no('paid_out') : appOnly(actor, facts);

/** A wallet pays only for packages its owner sends. */
const asSender =
  (rule: Rule): Rule =>
  (actor, facts) =>
    facts.senderId === actor.id ? rule(actor, facts) : no('forbidden');

/** Delivered or brought back, with no other dispute open; the author of a claim cannot dispute it. */
const onceEnded: Rule = (actor, facts) => {
  if (facts.dispute) return no('disputed');
  if (isRefunded(facts)) return no('too_late');
  const isOwnClaim = isReturnClaimed(facts) && facts.senderId === actor.id;
  const isEnded = facts.status === 'delivered' || facts.outcome === 'returned';
  return when(isEnded && !isOwnClaim, 'invalid_state');
};
const whileDisputed: Rule = (_, { dispute }) => when(dispute !== null, 'invalid_state');

/** The recipient's link; what has ended keeps the one it has, which ends as well. */
const whileTracked: Rule = (_, { status }) =>
  when(status === 'pending' || status === 'in-transit', 'invalid_state');

const cancelBySender: Rule = (actor, facts) =>
  facts.courierId === null
    ? when(facts.status === 'pending', 'invalid_state')
    : whileUnassigned(actor, facts);

const rules: Record<Role, Rules> = {
  Customer: {
    viewContacts: always,
    edit: whileOnOffer,
    editLate: (_, { status }) =>
      when(status === 'pending' || status === 'in-transit', 'invalid_state'),
    assign: forbidden,
    reject: forbidden,
    pickUp: forbidden,
    arrive: forbidden,
    failAttempt: forbidden,
    startReturn: collected,
    finishReturn: whileAt('returning'),
    handOver: forbidden,
    deliver: onTheWay,
    confirm: confirmBySender,
    correct: whileItMoves,
    cancel: cancelBySender,
    reopen: forbidden,
    delete: whileUnassigned,
    setPaymentStatus: cashOnly,
    pay: payOnce,
    refund: forbidden,
    dispute: onceEnded,
    resolve: forbidden,
    replaceTracking: whileTracked,
  },
  Employee: {
    viewContacts: (actor, facts) =>
      when(facts.senderId === actor.id || facts.courierId === actor.id, 'forbidden'),
    edit: forbidden,
    editLate: forbidden,
    assign: forbidden,
    reject: asAssignedCourier(rejectByCourier),
    pickUp: asAssignedCourier(whileAt('accepted')),
    arrive: asAssignedCourier(whileAt('picked_up', 'attempted')),
    failAttempt: asAssignedCourier(whileAt('picked_up', 'arrived')),
    startReturn: asAssignedCourier(whileAt('attempted')),
    finishReturn: asAssignedCourier(whileAt('returning')),
    handOver: forbidden,
    deliver: asAssignedCourier(onTheWay),
    confirm: confirmByCourier,
    correct: asAssignedCourier(whileItMoves),
    cancel: forbidden,
    reopen: forbidden,
    delete: forbidden,
    setPaymentStatus: asCourierOrSender(cashOnly),
    pay: asSender(payOnce),
    refund: forbidden,
    dispute: asCourierOrSender(onceEnded),
    resolve: forbidden,
    replaceTracking: asSender(whileTracked),
  },
  Admin: {
    viewContacts: always,
    edit: always,
    editLate: always,
    assign: always,
    reject: inTransitOnly,
    pickUp: whileAt('accepted'),
    arrive: forbidden,
    failAttempt: forbidden,
    startReturn: collected,
    finishReturn: whileAt('returning'),
    handOver: whileAt('picked_up', 'arrived', 'attempted', 'returning'),
    deliver: onTheWay,
    confirm: confirmByDispatcher,
    correct: whileItMoves,
    cancel: (_, { status }) => when(status !== 'cancelled', 'invalid_state'),
    reopen: (_, { status }) =>
      when(status === 'delivered' || status === 'cancelled', 'invalid_state'),
    delete: whileUnassigned,
    setPaymentStatus: cashOnly,
    pay: payOnce,
    refund: appOnly,
    dispute: asSender(onceEnded),
    resolve: whileDisputed,
    replaceTracking: whileTracked,
  },
};

/** Recorded as events, which a server of the specification's table alone has none of. */
const recordedActions: ReadonlySet<PackageAction> = new Set([
  'pickUp',
  'arrive',
  'failAttempt',
  'startReturn',
  'finishReturn',
  'handOver',
  'confirm',
  'correct',
  'dispute',
  'resolve',
]);

/** May this actor do this to this package now? A refusal carries the error code. */
export function can(actor: Actor, action: PackageAction, facts: PackageFacts): Decision {
  if (action === 'accept') return canAccept(actor, facts);
  if (!canView(actor, facts)) return no('not_found');
  if (action === 'view') return yes;
  if (facts.version === noVersion && recordedActions.has(action)) return no('invalid_state');
  return rules[actor.role][action](actor, facts);
}

/** May an Employee do this only to a package assigned to them? */
export function needsAssignment(action: PackageAction): boolean {
  const courier: Actor = { id: 'courier', role: 'Employee', isProfileComplete: true };
  const isForbidden = (facts: Pick<PackageFacts, 'courierId' | 'status'>) => {
    const decision = can(courier, action, {
      senderId: 'sender',
      paymentMethod: 'cash' as const,
      progress: null,
      verifiedBy: null,
      outcome: null,
      dispute: null,
      paidOutKobo: null,
      releaseAt: null,
      ...facts,
    });
    return !decision.isAllowed && decision.code === 'forbidden';
  };
  return (
    isForbidden({ courierId: null, status: 'pending' }) &&
    !isForbidden({ courierId: courier.id, status: 'in-transit' })
  );
}

/**
 * Cash is recorded by those who saw it change hands; an 'app' package is paid from the sender's
 * wallet and refunded by an admin.
 */
export function paymentActionOf(
  method: PaymentMethod | null,
  wanted: PaymentStatus,
): 'setPaymentStatus' | 'pay' | 'refund' {
  if (method !== 'app') return 'setPaymentStatus';
  return wanted === 'paid' ? 'pay' : 'refund';
}

/** Create a package for `senderId`: oneself, or as an admin anyone. */
export function canCreate(actor: Actor, senderId: string): Decision {
  if (actor.role !== 'Admin' && senderId !== actor.id) return no('forbidden');
  return when(actor.isProfileComplete, 'profile_incomplete');
}
