/** Top-ups and payment history. Naira. */
import * as v from 'valibot';
import { emailSchema, idSchema, limits, nairaSchema, priceSchema } from './fields.ts';

export const minimumDepositNaira = 100;
export const maximumDepositNaira = limits.priceNaira;

/** POST /api/payments/initiate. `email` must be the signed-in user's. */
export const initiatePaymentSchema = v.strictObject({
  email: emailSchema,
  amount: v.pipe(priceSchema, v.minValue(minimumDepositNaira, 'Minimum deposit is ₦100')),
});
export type InitiatePaymentBody = v.InferOutput<typeof initiatePaymentSchema>;

export const initiatedPaymentSchema = v.object({
  data: v.object({ authorization_url: v.string(), reference: v.string() }),
});
export type InitiatedPayment = v.InferOutput<typeof initiatedPaymentSchema>;

/** Characters of a reference; Paystack allows letters, digits, '-', '.' and '='. */
export const referenceSchema = v.pipe(v.string(), v.regex(/^[\w.=-]{1,100}$/));

/**
 * pending: not paid yet, or the provider does not respond. failed, abandoned: the provider's
 * current answer; a later payment of the same reference is still credited. review: paid in an
 * unexpected currency or amount; a dispatcher settles it.
 */
export const topUpStatuses = ['pending', 'credited', 'failed', 'abandoned', 'review'] as const;
export type TopUpStatus = (typeof topUpStatuses)[number];

/** `depositedAmount` is 0 until the wallet is credited. */
export const verifiedPaymentSchema = v.object({
  depositedAmount: nairaSchema,
  status: v.picklist(topUpStatuses),
  reference: referenceSchema,
});
export type VerifiedPayment = v.InferOutput<typeof verifiedPaymentSchema>;

/**
 * release: from the sender's hold to the courier's balance. payout: from there to the courier's bank,
 * with the fee; payout_returned: the same, back.
 */
export const transferKinds = [
  'top_up',
  'hold',
  'release',
  'refund',
  'adjustment',
  'payout',
  'payout_returned',
] as const;
export type TransferKind = (typeof transferKinds)[number];

/** Why held money went another way than by a delivery; a release taken back is negative. */
export const transferCauses = ['return', 'dispute', 'correction'] as const;
export type TransferCause = (typeof transferCauses)[number];

/**
 * One transfer as it affected the reader. `amount` is its effect on the available balance,
 * `heldAmount` on the held one; `balance` and `heldBalance` are the totals after it. `note` is the
 * reason of an adjustment, the reference of a top-up, or bank and last four digits of a payout.
 */
export const paymentEntrySchema = v.object({
  _id: idSchema,
  kind: v.picklist(transferKinds),
  amount: v.number(),
  heldAmount: v.number(),
  balance: v.number(),
  heldBalance: v.number(),
  package: v.nullable(v.object({ _id: idSchema, packageId: v.string() })),
  note: v.nullable(v.string()),
  cause: v.optional(v.nullable(v.picklist(transferCauses)), null),
  createdAt: v.string(),
});
export type PaymentEntry = v.InferOutput<typeof paymentEntrySchema>;

/** GET /api/payments: newest first; `before` is the previous page's `next`. */
export const paymentsQuerySchema = v.object({
  before: v.optional(v.pipe(v.string(), v.regex(/^\d{1,16}$/, 'Must be the `next` of a page.'))),
  limit: v.optional(
    v.pipe(
      v.string(),
      v.regex(/^\d{1,3}$/, 'Must be a number from 1 to 100.'),
      v.transform(Number),
      v.minValue(1, 'Must be a number from 1 to 100.'),
      v.maxValue(100, 'Must be a number from 1 to 100.'),
    ),
    '50',
  ),
});
export type PaymentsQuery = v.InferOutput<typeof paymentsQuerySchema>;

/**
 * `earned`: total ever released to the reader as a courier. `onItsWay`: held for their deliveries,
 * not released yet. `next` null: the last page.
 */
export const paymentsSchema = v.object({
  available: v.number(),
  held: v.number(),
  earned: v.number(),
  onItsWay: v.optional(v.number(), 0),
  entries: v.array(paymentEntrySchema),
  next: v.nullable(v.string()),
});
export type Payments = v.InferOutput<typeof paymentsSchema>;
