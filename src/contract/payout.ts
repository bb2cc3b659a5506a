/** Payouts: from a courier's balance to their bank account. Naira. */
import * as v from 'valibot';
import { loginSchema } from './auth.ts';
import { idSchema, limits, nairaSchema, priceSchema } from './fields.ts';

export const minimumPayoutNaira = 100;
export const maximumPayoutNaira = limits.priceNaira;

/** The provider's code of a bank, such as '058'. */
export const bankCodeSchema = v.pipe(
  v.string('Must be text.'),
  v.regex(/^[0-9A-Za-z-]{2,20}$/, 'Must be the code of a bank of the list.'),
);

/** A Nigerian account number (NUBAN). */
export const accountNumberSchema = v.pipe(
  v.string('Must be text.'),
  v.regex(/^\d{10}$/, 'Must be 10 digits.'),
);

/** GET /api/payouts/banks, by name. */
export const banksSchema = v.array(v.object({ code: bankCodeSchema, name: v.string() }));
export type Banks = v.InferOutput<typeof banksSchema>;
export type Bank = Banks[number];

/** GET /api/payouts/resolve: whose account this is, by the bank. */
export const resolveBankSchema = v.object({
  bankCode: bankCodeSchema,
  accountNumber: accountNumberSchema,
});
export const resolvedBankSchema = v.object({ accountName: v.string() });
export type ResolvedBank = v.InferOutput<typeof resolvedBankSchema>;

/** `accountNumberEnd`: its last four digits. No payout before `usableFrom`. */
export const bankAccountSchema = v.object({
  bankCode: bankCodeSchema,
  bankName: v.string(),
  accountName: v.string(),
  accountNumberEnd: v.pipe(v.string(), v.regex(/^\d{4}$/)),
  usableFrom: v.string(),
});
export type BankAccount = v.InferOutput<typeof bankAccountSchema>;

/** PUT /api/payouts/account. `password`: the user's, again. */
export const putBankAccountSchema = v.strictObject({
  bankCode: bankCodeSchema,
  accountNumber: accountNumberSchema,
  password: loginSchema.entries.password,
});
export type PutBankAccountBody = v.InferOutput<typeof putBankAccountSchema>;

/** POST /api/payouts. `amount`: what arrives; the fee comes on top. */
export const createPayoutSchema = v.strictObject({
  amount: v.pipe(priceSchema, v.minValue(minimumPayoutNaira, 'The smallest payout is ₦100.')),
});
export type CreatePayoutBody = v.InferOutput<typeof createPayoutSchema>;

/** pending: on its way. returned: the bank did not keep it; amount and fee are back in the balance. */
export const payoutStatuses = ['pending', 'paid', 'returned'] as const;
export type PayoutStatus = (typeof payoutStatuses)[number];

/**
 * Why a payout came back. failed: the bank did not take it. reversed: it had been sent, and came
 * back. blocked: the provider stopped it. refused: the provider did not accept the request.
 */
export const payoutReasons = ['failed', 'reversed', 'blocked', 'refused'] as const;
export type PayoutReason = (typeof payoutReasons)[number];

/** `expectedBy` only while pending; `endedAt` and `reason` only after that. */
export const payoutSchema = v.object({
  _id: idSchema,
  amount: nairaSchema,
  fee: nairaSchema,
  status: v.picklist(payoutStatuses),
  bankName: v.string(),
  accountName: v.string(),
  accountNumberEnd: v.pipe(v.string(), v.regex(/^\d{4}$/)),
  createdAt: v.string(),
  expectedBy: v.nullable(v.string()),
  endedAt: v.nullable(v.string()),
  reason: v.nullable(v.picklist(payoutReasons)),
});
export type Payout = v.InferOutput<typeof payoutSchema>;

/**
 * GET /api/payouts: the newest 50. `fees`: by amount, ascending; `upTo` null: any larger amount.
 * `minimum`: of one payout. `waitHours`: how long a new account waits for its first payout.
 */
export const payoutsSchema = v.object({
  account: v.nullable(bankAccountSchema),
  available: nairaSchema,
  minimum: nairaSchema,
  waitHours: v.pipe(v.number(), v.minValue(0)),
  fees: v.array(v.object({ upTo: v.nullable(nairaSchema), fee: nairaSchema })),
  payouts: v.array(payoutSchema),
});
export type Payouts = v.InferOutput<typeof payoutsSchema>;
