/**
 * The fields a user may edit, and the operations their changes become. Pure. Statuses that the
 * state machine refuses are disabled with a reason.
 */

import type { Location } from '#contract/fields.ts';
import type { PackageField, WirePackage } from '#contract/package.ts';
import { showPhone } from '#domain/contact-links.ts';
import { toLocalInput } from '#domain/dates.ts';
import { locationText } from '#domain/location.ts';
import { type Package, packageToWire } from '#domain/package.ts';
import { fieldNames, type PackageForm, packageFields, type Typed } from '#domain/package-fields.ts';
import { transition } from '#domain/patch.ts';
import { type Actor, can, editActionOf, factsOf } from '#domain/policy.ts';
import type { DeliveryStatus } from '#domain/status.ts';

/** Without cancelled, which has a button of its own. */
export const editStatuses = ['pending', 'in-transit', 'delivered'] as const;

/** A body to create or as on the wire, for the form. */
export function formOfBody(
  body: { [Name in PackageField]?: WirePackage[Name] | null | undefined },
) {
  const typedOf = (name: PackageField): Typed => {
    const value: unknown = body[name] ?? null;
    const { kind } = packageFields[name];
    if (kind === 'flag') return value === true;
    if (kind === 'place') return locationText(value as Location | null);
    if (value === null) return '';
    if (kind === 'date') return toLocalInput(String(value));
    return kind === 'phone' ? showPhone(String(value)) : String(value);
  };
  return Object.fromEntries(fieldNames.map((name) => [name, typedOf(name)])) as PackageForm;
}

export const formOf = (pkg: Package): PackageForm => formOfBody(packageToWire(pkg));

export function editableFields(actor: Actor, pkg: Package): ReadonlySet<PackageField> {
  const facts = factsOf(pkg);
  return new Set(
    fieldNames.filter((field) => {
      // Whether a field needs the early or the late edit depends on the field, not on its value.
      const action = editActionOf([field]);
      return can(actor, action, facts).isAllowed;
    }),
  );
}

/** Error code for a status that cannot be chosen; null: allowed or current. */
export function statusRefusal(
  actor: Actor,
  pkg: Package,
  status: (typeof editStatuses)[number],
): string | null {
  if (status === pkg.status) return null;
  const wanted = transition(actor, factsOf(pkg), { status });
  return wanted.isAllowed ? null : wanted.code;
}

export function canSetPayment(actor: Actor, pkg: Package): boolean {
  return can(actor, 'setPaymentStatus', factsOf(pkg)).isAllowed;
}

/** A queued operation, or a plain patch for an admin's correction and with a payment. */
export function statusStep(
  from: DeliveryStatus,
  to: DeliveryStatus,
  { role, isPaymentChanged }: { role: Actor['role']; isPaymentChanged: boolean },
): 'rejectDelivery' | 'deliverPackage' | 'patch' | null {
  if (from === to) return null;
  if (from !== 'in-transit' || role === 'Admin' || isPaymentChanged) return 'patch';
  return to === 'pending' ? 'rejectDelivery' : to === 'delivered' ? 'deliverPackage' : 'patch';
}
