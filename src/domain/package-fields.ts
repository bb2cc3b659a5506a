/**
 * The fields a sender fills in, one row each, in the order of the wizard. Derived from it: the form,
 * its draft and its checks, the wizard's steps and review, the controls, the value in *Changes*, the
 * description on the package's page, the action that an edit needs, the terms of an acceptance, the
 * redaction, and the test of the recipient's page. Separate: a field's schema (contract/package),
 * label (messages/en/fields) and column.
 */
import type { PackageChanges, PackageField } from '#contract/package.ts';

export interface FieldRow {
  /** `text` and `flag` describe the package: whoever sees it sees them. */
  kind: 'line' | 'text' | 'phone' | 'email' | 'place' | 'date' | 'price' | 'choice' | 'flag';
  /** The wizard's step, from 0. */
  step: 0 | 1 | 2 | 3;
  isRequired?: true;
  /** The sender may still change it in transit. */
  isLate?: true;
  /** A courier accepts it: if it changed since they looked, they must look again. */
  isTerm?: true;
  /** Withheld from who may not see contacts. */
  isContact?: true;
  /** The recipient's page shows it, without a courier on the way. */
  isTracked?: true;
}

export const packageFields: Readonly<Record<PackageField, FieldRow>> = {
  pickupAddress: { kind: 'line', step: 0, isRequired: true, isTerm: true },
  pickupLocation: { kind: 'place', step: 0, isTerm: true },
  deliveryAddress: { kind: 'line', step: 0, isRequired: true, isTerm: true },
  deliveryLocation: { kind: 'place', step: 0, isTerm: true },
  recipientName: { kind: 'line', step: 1, isRequired: true },
  recipientPhone: { kind: 'phone', step: 1, isRequired: true, isLate: true, isContact: true },
  recipientEmail: { kind: 'email', step: 1, isContact: true },
  handover: { kind: 'choice', step: 1, isTerm: true, isTracked: true },
  description: { kind: 'text', step: 2, isRequired: true },
  pickupDate: {
    kind: 'date',
    step: 2,
    isRequired: true,
    isLate: true,
    isTerm: true,
    isTracked: true,
  },
  deliveryDate: { kind: 'date', step: 2, isLate: true, isTerm: true, isTracked: true },
  notes: { kind: 'text', step: 2, isLate: true },
  priceOffer: { kind: 'price', step: 3, isRequired: true, isTerm: true },
  paymentMethod: { kind: 'choice', step: 3, isRequired: true, isTerm: true },
};

export const fieldNames = Object.keys(packageFields) as PackageField[];

/** The names of the fields whose rows are as asked. */
export const fieldsWhere = (isAsked: (row: FieldRow) => boolean | undefined): PackageField[] =>
  fieldNames.filter((name) => isAsked(packageFields[name]));

/** Fields that describe the package itself: typed texts and flags. */
export const describingFields = fieldsWhere(({ kind }) => kind === 'text' || kind === 'flag');

/** A field as its control has it: a flag is true or false, anything else text as typed. */
export type Typed = string | boolean;
type TypedAs<Value> = Exclude<Value, undefined> extends boolean ? boolean : string;

/**
 * The wizard as typed. Dates are `datetime-local` values or ISO, places 'lat, lng' in degrees
 * (domain/location); '' means none, and for the handover the deployment's.
 */
export type PackageForm = {
  [Name in PackageField]: TypedAs<PackageChanges[Name]>;
};

export const emptyPackageForm = Object.fromEntries(
  fieldNames.map((name) => [name, packageFields[name].kind === 'flag' ? false : '']),
) as PackageForm;
