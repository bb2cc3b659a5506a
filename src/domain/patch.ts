/**
 * Reads and applies a PATCH of a package, for the server, the phone's overlay and the fake server
 * alike:
 *
 *   body ──parsePatch──▶ patch ──readPatch──▶ actions, allowed by the policy, and the next package
 *                          └────applyPatch──▶ the next package, for any actor
 *
 * Accepting sets courier and status, rejecting clears the courier, delivering sets only the status.
 * Invariant: no field changes without an action the policy has allowed.
 */
import type {
  PackageChanges,
  PackageField,
  PatchPackageBody,
  PaymentStatus,
} from '#contract/package.ts';
import { isSameValue } from './location.ts';
import { noCode, type StoredPackage, trackingAfter, withChanges } from './package.ts';
import { fieldNames, fieldsWhere } from './package-fields.ts';
import {
  type Actor,
  can,
  editActionOf,
  type PackageAction,
  type PackageFacts,
  paymentActionOf,
  type Refusal,
} from './policy.ts';
import { wordOf } from './proof.ts';
import { type DeliveryStatus, parseStatus } from './status.ts';

/** `courierId` undefined: not in the patch. */
export interface Wanted {
  courierId?: string | null | undefined;
  status?: DeliveryStatus | undefined;
}

export interface PackagePatch extends Wanted {
  changes: PackageChanges;
  paymentStatus?: PaymentStatus | undefined;
  baseVersion?: number | undefined;
}

/** `never` if `Given` has a field that `Known` lacks. */
type Only<Known, Given> = Exclude<keyof Given, keyof Known> extends never ? Known : never;

/** Null: not a status. Empty is not one, although a row without a status is Pending. */
export function parsePatch(body: PatchPackageBody): PackagePatch | null {
  const { deliveryPersonId, deliveryStatus, paymentStatus, baseVersion, ...rest } = body;
  // A new field of the body compiles only once it is read above or part of an edit.
  const changes: Only<PackageChanges, typeof rest> = rest;
  const status = deliveryStatus?.trim() === '' ? null : parseStatus(deliveryStatus);
  if (status === null) return null;
  return {
    courierId: deliveryPersonId,
    status: deliveryStatus === undefined ? undefined : status,
    paymentStatus,
    baseVersion,
    changes,
  };
}

interface Target {
  courierId: string | null;
  status: DeliveryStatus;
}

function targetOf(facts: PackageFacts, wanted: Wanted): Target {
  if (wanted.status === undefined) {
    // A courier without a status: assigning one sets in transit, removing one sets pending.
    if (wanted.courierId === undefined) return { courierId: facts.courierId, status: facts.status };
    const status: DeliveryStatus = wanted.courierId === null ? 'pending' : 'in-transit';
    return { courierId: wanted.courierId, status };
  }
  const asked = wanted.courierId === undefined ? facts.courierId : wanted.courierId;
  return { courierId: wanted.status === 'pending' ? null : asked, status: wanted.status };
}

/** A change of payment method resets to unpaid: paid cash is not wallet money. */
function paymentBefore(pkg: StoredPackage, { paymentMethod }: PackageFacts): PaymentStatus {
  return paymentMethod === pkg.paymentMethod ? pkg.paymentStatus : 'unpaid';
}

/**
 * The package after the patch, at `at` (ISO 8601); the same object if nothing differs. A wallet
 * payment counts as covered; the server's ledger decides.
 */
export function applyPatch(pkg: StoredPackage, patch: PackagePatch, at: string): StoredPackage {
  const edited = withChanges(pkg, patch.changes);
  const target = targetOf(pkg, patch);
  const next: StoredPackage = {
    ...edited,
    ...target,
    ...trackingAfter(pkg, target.status, at),
    ...(edited.handover === 'none' ? noCode : {}),
    paymentStatus: patch.paymentStatus ?? paymentBefore(pkg, edited),
  };
  return differingFields(pkg, next).length === 0 ? pkg : { ...next, updatedAt: at };
}

/** The fields in which two states of a package differ. */
export function differingFields(before: StoredPackage, after: StoredPackage) {
  const names = Object.keys(after) as (keyof StoredPackage)[];
  return names.filter((name) => !isSameValue(before[name], after[name]));
}

export type Transition =
  | ({ isAllowed: true; actions: PackageAction[] } & Target)
  | { isAllowed: false; code: Refusal };

function actionsFor(actor: Actor, facts: PackageFacts, target: Target): PackageAction[] {
  const actions: PackageAction[] = [];
  const isFinal = facts.status === 'delivered' || facts.status === 'cancelled';
  const isCourierNew = target.courierId !== null && target.courierId !== facts.courierId;
  if (isFinal && target.status !== facts.status && target.status !== 'cancelled') {
    actions.push('reopen');
  }
  if (isCourierNew) {
    const isAccept = actor.role === 'Employee' && target.courierId === actor.id;
    actions.push(isAccept ? 'accept' : 'assign');
  }
  if (target.status === facts.status) return actions;
  if (target.status === 'pending' && !isFinal) actions.push('reject');
  // An admin may assign and deliver in one PATCH: this is not the courier's delivery.
  const isAssigned = isCourierNew && actor.role === 'Admin';
  if (target.status === 'delivered' && !(isAssigned || isFinal)) actions.push('deliver');
  if (target.status === 'cancelled') actions.push('cancel');
  return actions;
}

/** The actions and the state that naming a courier or status leads to, or why it is refused. */
export function transition(actor: Actor, facts: PackageFacts, wanted: Wanted): Transition {
  const target = targetOf(facts, wanted);
  const actions = actionsFor(actor, facts, target);
  for (const action of actions) {
    const decision = can(actor, action, facts);
    if (!decision.isAllowed) return decision;
  }
  const refuse = (code: Refusal): Transition => ({
    isAllowed: false,
    code: can(actor, 'view', facts).isAllowed ? code : 'not_found',
  });
  // Contradictory: taken by a courier, yet on offer.
  const isNamed = wanted.courierId !== undefined && wanted.courierId !== null;
  if (isNamed && wanted.courierId !== facts.courierId && target.courierId === null) {
    return refuse('invalid_state');
  }
  const needsCourier = target.status === 'in-transit' || target.status === 'delivered';
  if (needsCourier && target.courierId === null) return refuse('courier_required');
  const isChanged = target.status !== facts.status || target.courierId !== facts.courierId;
  if (actions.length === 0 && isChanged) return refuse('invalid_state');
  if (isChanged && facts.dispute) return refuse('disputed');
  return { isAllowed: true, actions, ...target };
}

/** The terms a courier accepts. */
export const acceptTerms: readonly PackageField[] = fieldsWhere(({ isTerm }) => isTerm);

/** The terms of marking a package as paid. */
export const paymentTerms: readonly PackageField[] = ['priceOffer', 'paymentMethod'];

export type PatchReading =
  | {
      isAllowed: true;
      /** Empty: nothing changes. */
      actions: PackageAction[];
      next: StoredPackage;
      changed: PackageField[];
      /** Unchanged fields the author agreed to. */
      agreedTo: readonly PackageField[];
      /** It repeats a step recorded by someone else, and moves nothing. */
      isRepeat?: true;
    }
  | { isAllowed: false; code: Refusal };

const columnOf = (field: PackageField) => (field === 'priceOffer' ? 'priceOfferKobo' : field);

/** Allowed only if the policy allows everything in the patch. `at`: as for `applyPatch`. */
export function readPatch(
  actor: Actor,
  pkg: StoredPackage,
  patch: PackagePatch,
  at: string,
): PatchReading {
  const moved = transition(actor, pkg, patch);
  if (!moved.isAllowed) return moved;
  const word = wordOf(actor, pkg);
  if (moved.actions.includes('deliver') && pkg.handover === 'code' && word === null) {
    return { isAllowed: false, code: 'proof_required' };
  }
  const next = applyPatch(pkg, patch, at);
  if (next.status === 'delivered' && pkg.status !== 'delivered') next.verifiedBy = word;
  const changed = fieldNames.filter(
    (field) => !isSameValue(pkg[columnOf(field)], next[columnOf(field)]),
  );
  const actions = [...moved.actions];
  const seen = can(actor, 'view', pkg);
  if (!seen.isAllowed) return seen;
  // Checked even without a difference, which would otherwise reveal the field's value.
  if (Object.keys(patch.changes).length > 0) {
    const action = editActionOf(changed);
    const decision = can(actor, action, pkg);
    if (!decision.isAllowed) return decision;
    if (changed.length > 0) actions.push(action);
  }
  const { paymentMethod, paymentStatus } = next;
  const isPaymentNew = paymentStatus !== paymentBefore(pkg, next);
  if (isPaymentNew) {
    // Judged by the resulting method and end state: a cancelled package cannot be paid.
    const isEnding = pkg.status === 'cancelled' || next.status === 'cancelled';
    const status = isEnding ? next.status : pkg.status;
    const action = paymentActionOf(paymentMethod, paymentStatus);
    const decision = can(actor, action, { ...pkg, paymentMethod, status });
    if (!decision.isAllowed) return decision;
    actions.push(action);
  }
  const agreedTo = [
    ...(actions.includes('accept') ? acceptTerms : []),
    ...(isPaymentNew && paymentStatus === 'paid' ? paymentTerms : []),
  ];
  return { isAllowed: true, actions, next, changed, agreedTo };
}
