import * as v from 'valibot';
import {
  initiatePaymentSchema,
  maximumDepositNaira,
  minimumDepositNaira,
} from '#contract/payment.ts';
import { amountDoubt, typedPrice } from './amount.ts';
import type { Checked } from './validation.ts';

/** Step of the form. The server accepts any amount from the minimum on. */
export const depositStepNaira = 100;

export const depositMessages = {
  tooSmall: 'Minimum deposit is ₦100',
  notAStep: 'Enter a multiple of ₦100, for example 1500.',
  notAnAmount: 'Enter the amount in figures, for example 1500.',
} as const;

const refused = (message: string): Checked<never> => ({
  isValid: false,
  message,
  fields: { amount: message },
});

/** '2500' or '₦2,500' → 2500 naira. A missing amount gets the same message as one below the minimum. */
export function checkDeposit(text: string): Checked<number> {
  const amount = typedPrice(text);
  if (amount === undefined) return refused(depositMessages.tooSmall);
  if (Number.isNaN(amount)) return refused(amountDoubt(text) ?? depositMessages.notAnAmount);
  if (amount < minimumDepositNaira) return refused(depositMessages.tooSmall);
  const parsed = v.safeParse(initiatePaymentSchema.entries.amount, amount);
  if (!parsed.success) return refused(parsed.issues[0].message);
  if (parsed.output % depositStepNaira !== 0) return refused(depositMessages.notAStep);
  return { isValid: true, value: parsed.output };
}

/** Covers the missing amount: rounded up to a step, between minimum and maximum. */
export function depositFor(missingNaira: number): number {
  const steps = Math.ceil(Math.round(missingNaira * 100) / (depositStepNaira * 100));
  const amount = steps * depositStepNaira;
  return Math.min(Math.max(amount, minimumDepositNaira), maximumDepositNaira);
}
