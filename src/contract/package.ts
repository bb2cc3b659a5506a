import * as v from 'valibot';
import { removedSchema } from './delta.ts';
import { disputeSchema } from './dispute.ts';
import { progressSteps } from './event.ts';
import {
  dateTimeSchema,
  emailSchema,
  idSchema,
  knownLocationSchema,
  limits,
  line,
  locationSchema,
  nairaSchema,
  noneOr,
  paragraph,
  phoneSchema,
  priceSchema,
  versionSchema,
} from './fields.ts';
import { recipientNoteSchema } from './tracking.ts';
import { partySchema } from './user.ts';

export const paymentMethods = ['cash', 'app'] as const;
export const paymentMethodSchema = v.picklist(paymentMethods, "Must be 'cash' or 'app'.");
export type PaymentMethod = v.InferOutput<typeof paymentMethodSchema>;

export const paymentStatuses = ['unpaid', 'paid'] as const;
export const paymentStatusSchema = v.picklist(paymentStatuses, "Must be 'unpaid' or 'paid'.");
export type PaymentStatus = v.InferOutput<typeof paymentStatusSchema>;

/** How the recipient shows that the package is theirs: not at all, or by a code. */
export const handovers = ['none', 'code'] as const;
export const handoverSchema = v.picklist(handovers, "Must be 'none' or 'code'.");
export type Handover = v.InferOutput<typeof handoverSchema>;

/** By what, or on whose word, a package counts as delivered; null: the courier's word alone. */
export const verifications = ['code', 'qr', 'photo', 'sender', 'admin'] as const;
export type VerifiedBy = (typeof verifications)[number];

export const outcomes = ['returned'] as const;

/** How the wire spells a delivery status; `domain/status` accepts every other spelling too. */
export const deliveryStatusLabels = ['Pending', 'In Transit', 'Delivered', 'Cancelled'] as const;
export type DeliveryStatusLabel = (typeof deliveryStatusLabels)[number];

/**
 * A package in responses. `packageId` is the display number, `priceOffer` is in naira.
 * `pickupLocation` and `deliveryLocation` are null without a pin. `recipientPhone`,
 * `recipientEmail` and the parties' contacts are null while withheld. A field added later is
 * optional with a default: a server of the specification alone, or of the version before, does not send it.
 */
export const packageSchema = v.object({
  _id: idSchema,
  packageId: v.string(),
  version: versionSchema,
  senderId: partySchema,
  deliveryPersonId: v.nullable(partySchema),
  recipientName: v.string(),
  recipientPhone: v.nullable(v.string()),
  recipientEmail: v.nullable(v.string()),
  description: v.string(),
  notes: v.nullable(v.string()),
  pickupAddress: v.string(),
  deliveryAddress: v.string(),
  pickupLocation: v.optional(v.nullable(knownLocationSchema), null),
  deliveryLocation: v.optional(v.nullable(knownLocationSchema), null),
  pickupDate: v.string(),
  deliveryDate: v.nullable(v.string()),
  priceOffer: nairaSchema,
  paymentMethod: paymentMethodSchema,
  deliveryStatus: v.nullish(v.string()),
  paymentStatus: v.optional(paymentStatusSchema, 'unpaid'),
  /** How far it is in transit; null otherwise. */
  progress: v.optional(v.nullable(v.picklist(progressSteps)), null),
  /** Failed attempts to deliver it. */
  attempts: v.optional(v.number(), 0),
  lastAttempt: v.optional(v.nullable(v.object({ reason: v.string(), at: v.string() })), null),
  /** How a cancelled package ended: brought back to its sender. */
  outcome: v.optional(v.nullable(v.picklist(outcomes)), null),
  deliveredAt: v.optional(v.nullable(v.string()), null),
  /**
   * When held money goes to the courier of a delivery, or is divided for a return that only the
   * sender declared, unless disputed; null: not automatically.
   */
  releaseAt: v.optional(v.nullable(v.string()), null),
  /** The courier's part of the price paid in the app, in naira; 0: refunded; null: not paid out. */
  paidOut: v.optional(v.nullable(nairaSchema), null),
  /** The open one. */
  dispute: v.optional(v.nullable(disputeSchema), null),
  handover: v.optional(handoverSchema, 'none'),
  verifiedBy: v.optional(v.nullable(v.picklist(verifications)), null),
  /** Pictures that the delivery names and that have not arrived: until then they prove nothing. */
  photosMissing: v.optional(v.number(), 0),
  /**
   * Codes the courier gets from the recipient at delivery and from the sender at a return; for
   * sender and admins only.
   */
  dropoffCode: v.optional(v.nullable(v.string()), null),
  returnCode: v.optional(v.nullable(v.string()), null),
  /** The token of the recipient's QR code, for sender and admins only. */
  dropoffToken: v.optional(v.nullable(v.string()), null),
  /** The token's SHA-256 in base64url, so that a scan can be verified without a network. */
  dropoffTokenHash: v.optional(v.nullable(v.string()), null),
  /** After five wrong codes: no further code counts for the delivery or return at hand. */
  codeLocked: v.optional(v.boolean(), false),
  /** Path of the recipient's page, for sender and admins only. */
  trackingPath: v.optional(v.nullable(v.string()), null),
  /** For who may read the contacts. */
  recipientNote: v.optional(v.nullable(recipientNoteSchema), null),
  createdAt: v.string(),
  updatedAt: v.string(),
});
export type WirePackage = v.InferOutput<typeof packageSchema>;

/** GET /api/packages; removed rows come only with `since`. */
export const packageListSchema = v.array(v.union([removedSchema, packageSchema]));

const shipmentEntries = {
  pickupAddress: line(limits.address),
  deliveryAddress: line(limits.address),
  pickupLocation: v.nullable(locationSchema),
  deliveryLocation: v.nullable(locationSchema),
  recipientName: line(limits.name),
  recipientPhone: phoneSchema,
  recipientEmail: noneOr(emailSchema),
  description: paragraph(limits.description),
  notes: noneOr(paragraph(limits.notes)),
  pickupDate: dateTimeSchema,
  deliveryDate: noneOr(dateTimeSchema),
  priceOffer: priceSchema,
  paymentMethod: paymentMethodSchema,
  handover: handoverSchema,
};

/** POST /api/packages. `_id` may be the client's own; `senderId` defaults to the actor. */
export const createPackageSchema = v.strictObject({
  ...shipmentEntries,
  recipientEmail: v.optional(shipmentEntries.recipientEmail, null),
  notes: v.optional(shipmentEntries.notes, null),
  deliveryDate: v.optional(shipmentEntries.deliveryDate, null),
  // No default: without a pin the request stays the same as before pins existed.
  pickupLocation: v.optional(shipmentEntries.pickupLocation),
  deliveryLocation: v.optional(shipmentEntries.deliveryLocation),
  // Without one, the deployment's.
  handover: v.optional(shipmentEntries.handover),
  _id: v.optional(idSchema),
  senderId: v.optional(idSchema),
});
export type CreatePackageBody = v.InferOutput<typeof createPackageSchema>;

export const packageChangesSchema = v.partial(v.strictObject(shipmentEntries));
export type PackageChanges = v.InferOutput<typeof packageChangesSchema>;
export type PackageField = keyof PackageChanges;

/** PATCH /api/packages/{id}: changed fields only; any spelling of a status (domain/status). */
export const patchPackageSchema = v.strictObject({
  ...packageChangesSchema.entries,
  deliveryPersonId: v.optional(v.nullable(idSchema)),
  deliveryStatus: v.optional(v.pipe(v.string('Must be a delivery status.'), v.maxLength(40))),
  paymentStatus: v.optional(paymentStatusSchema),
  baseVersion: v.optional(versionSchema),
});
export type PatchPackageBody = v.InferOutput<typeof patchPackageSchema>;
