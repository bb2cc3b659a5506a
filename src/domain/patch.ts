/**
 * What a PATCH of a package asks for and what it makes of the package, for the server, the overlay of
 * the phone and the fake server alike:
 *
 *   body ──parsePatch──▶ patch ──readPatch──▶ actions, allowed by the policy, and the next package
 *                          └────applyPatch──▶ the next package, for any actor
 *
 * Accepting sets courier and status, rejecting clears the courier, delivering sets the status alone.
 * Invariant: no field changes without an action that the policy has allowed.
 */
import {
  type PackageChanges,
  type PackageField,
  type PatchPackageBody,
  type PaymentStatus,
  packageFields,
} from '#contract/package.ts';
import { isSameValue } from './location.ts';
import { type StoredPackage, withChanges } from './package.ts';
import {
  type Actor,
  can,
  editActionOf,
  type PackageAction,
  type PackageFacts,
  paymentActionOf,
  type Refusal,
} from './policy.ts';
import { type DeliveryStatus, parseStatus } from './status.ts';

/** `courierId` undefined: the patch does not name it. */
export interface Wanted {
  courierId?: string | null | undefined;
  status?: DeliveryStatus | undefined;
}

/** The body of a PATCH, its parts told apart. */
export interface PackagePatch extends Wanted {
  /** The fields of an edit, as on the wire. */
  changes: PackageChanges;
  paymentStatus?: PaymentStatus | undefined;
  /** The version that its author saw. */
  baseVersion?: number | undefined;
}

/** `never` where `Given` has a field that `Known` lacks. */
type Only<Known, Given> = Exclude<keyof Given, keyof Known> extends never ? Known : never;

/** Null: `deliveryStatus` is not a status. An empty one is not, though a missing one of a row is Pending. */
export function parsePatch(body: PatchPackageBody): PackagePatch | null {
  const { deliveryPersonId, deliveryStatus, paymentStatus, baseVersion, ...rest } = body;
  // A new field of the body does not compile here until it is either read above or part of an edit.
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
    // A courier alone: naming one puts the package on its way, taking one off puts it back.
    if (wanted.courierId === undefined) return { courierId: facts.courierId, status: facts.status };
    const status: DeliveryStatus = wanted.courierId === null ? 'pending' : 'in-transit';
    return { courierId: wanted.courierId, status };
  }
  const asked = wanted.courierId === undefined ? facts.courierId : wanted.courierId;
  return { courierId: wanted.status === 'pending' ? null : asked, status: wanted.status };
}

/** Another method of payment starts as unpaid, so that cash that was paid is no app money. */
function paymentBefore(pkg: StoredPackage, { paymentMethod }: PackageFacts): PaymentStatus {
  return paymentMethod === pkg.paymentMethod ? pkg.paymentStatus : 'unpaid';
}

/**
 * The package as the patch leaves it at `at` (ISO 8601); itself where nothing differs. A payment by
 * wallet counts as covered: whether it is, the ledger of the server decides.
 */
export function applyPatch(pkg: StoredPackage, patch: PackagePatch, at: string): StoredPackage {
  const edited = withChanges(pkg, patch.changes);
  const next: StoredPackage = {
    ...edited,
    ...targetOf(pkg, patch),
    paymentStatus: patch.paymentStatus ?? paymentBefore(pkg, edited),
  };
  return differingFields(pkg, next).length === 0 ? pkg : { ...next, updatedAt: at };
}

/** The names under which two states of a package differ. */
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
  // An admin may settle in one step what a courier must first take: accepting is not delivering.
  const isAssigned = isCourierNew && actor.role === 'Admin';
  if (target.status === 'delivered' && !(isAssigned || isFinal)) actions.push('deliver');
  if (target.status === 'cancelled') actions.push('cancel');
  return actions;
}

/**
 * The actions that naming a courier or a status amounts to and where the package ends, or why not.
 * No action: nothing of courier or status changes.
 */
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
  // 'I take it, and it stays on offer': whichever was meant, the other half would be untrue.
  const isNamed = wanted.courierId !== undefined && wanted.courierId !== null;
  if (isNamed && wanted.courierId !== facts.courierId && target.courierId === null) {
    return refuse('invalid_state');
  }
  const needsCourier = target.status === 'in-transit' || target.status === 'delivered';
  if (needsCourier && target.courierId === null) return refuse('courier_required');
  const isChanged = target.status !== facts.status || target.courierId !== facts.courierId;
  if (actions.length === 0 && isChanged) return refuse('invalid_state');
  return { isAllowed: true, actions, ...target };
}

/** What a courier agrees to by accepting: where these changed since they looked, they look again. */
export const acceptTerms: readonly PackageField[] = [
  'priceOffer',
  'paymentMethod',
  'pickupAddress',
  'deliveryAddress',
  'pickupLocation',
  'deliveryLocation',
  'pickupDate',
  'deliveryDate',
];

/** What somebody agrees to by saying that a package is paid. */
export const paymentTerms: readonly PackageField[] = ['priceOffer', 'paymentMethod'];

export type PatchReading =
  | {
      isAllowed: true;
      /** What it amounts to. Empty: it changes nothing. */
      actions: PackageAction[];
      next: StoredPackage;
      /** The fields of an edit that differ. */
      changed: PackageField[];
      /** Unchanged fields that its author has agreed to. */
      agreedTo: readonly PackageField[];
    }
  | { isAllowed: false; code: Refusal };

const columnOf = (field: PackageField) => (field === 'priceOffer' ? 'priceOfferKobo' : field);

/** Everything in the patch must be allowed by the package as it is. `at`: as for `applyPatch`. */
export function readPatch(
  actor: Actor,
  pkg: StoredPackage,
  patch: PackagePatch,
  at: string,
): PatchReading {
  const moved = transition(actor, pkg, patch);
  if (!moved.isAllowed) return moved;
  const next = applyPatch(pkg, patch, at);
  const changed = packageFields.filter(
    (field) => !isSameValue(pkg[columnOf(field)], next[columnOf(field)]),
  );
  const actions = [...moved.actions];
  const seen = can(actor, 'view', pkg);
  if (!seen.isAllowed) return seen;
  // Asked also where nothing differs: whether it does would tell those who may not see the field.
  if (Object.keys(patch.changes).length > 0) {
    const action = editActionOf(changed);
    const decision = can(actor, action, pkg);
    if (!decision.isAllowed) return decision;
    if (changed.length > 0) actions.push(action);
  }
  const { paymentMethod, paymentStatus } = next;
  const isPaymentNew = paymentStatus !== paymentBefore(pkg, next);
  if (isPaymentNew) {
    // Judged by the method and the end as they will be: what is cancelled is not paid any more.
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
