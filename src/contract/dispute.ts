/**
 * Disputes: a sender or courier reports a problem with a delivery or return. Held money stays held
 * until an admin decides.
 */
import * as v from 'valibot';
import { idSchema, limits, paragraph } from './fields.ts';

export const disputeKinds = [
  'not_received',
  'damaged',
  'wrong_item',
  'false_attempt',
  'overcharge',
] as const;
export type DisputeKind = (typeof disputeKinds)[number];

/** How long after the end of a delivery or return, by the server's clock. */
export const disputeHours = 24;

export const disputeBodySchema = {
  kind: v.picklist(disputeKinds, 'Must be one of the known kinds.'),
  text: paragraph(limits.notes),
};

/** POST /api/packages/{id}/disputes. `_id` is the client's own. */
export const openDisputeSchema = v.strictObject({ _id: idSchema, ...disputeBodySchema });
export type OpenDisputeBody = v.InferOutput<typeof openDisputeSchema>;

/** Held money goes all to the courier, all to the sender, or in shares to both. */
export const disputeDecisions = ['release', 'refund', 'split'] as const;
export type DisputeDecision = (typeof disputeDecisions)[number];

const percentRule = 'Must be a whole number from 1 to 99.';

/** POST /api/packages/{id}/disputes/{disputeId}/resolve. `courierPercent` belongs to `split`. */
export const resolveDisputeSchema = v.strictObject({
  decision: v.picklist(disputeDecisions, 'Must be release, refund or split.'),
  courierPercent: v.optional(
    v.pipe(
      v.number(percentRule),
      v.integer(percentRule),
      v.minValue(1, percentRule),
      v.maxValue(99, percentRule),
    ),
  ),
  reason: paragraph(limits.notes),
});
export type ResolveDisputeBody = v.InferOutput<typeof resolveDisputeSchema>;

/** The open dispute of a package in responses. */
export const disputeSchema = v.object({
  _id: idSchema,
  kind: v.picklist(disputeKinds),
  text: v.string(),
  by: v.picklist(['sender', 'courier']),
});
export type Dispute = v.InferOutput<typeof disputeSchema>;
