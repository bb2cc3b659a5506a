/** Amounts and times of payouts. Pure; integer kobo. */
import { maximumPayoutNaira, minimumPayoutNaira, type Payouts } from '#contract/payout.ts';
import { koboToNaira, nairaToKobo } from './money.ts';

/** A step of a tariff: the fee of amounts up to `upToKobo`; null: of any larger one. */
export interface FeeStep {
  upToKobo: number | null;
  feeKobo: number;
}

/** Ascending; the last step has no end. */
export type Tariff = readonly FeeStep[];

/** What Paystack takes for a transfer in Nigeria (paystack.com/pricing). */
export const payoutTariff: Tariff = [
  { upToKobo: 500_000, feeKobo: 1_000 },
  { upToKobo: 5_000_000, feeKobo: 2_500 },
  { upToKobo: null, feeKobo: 5_000 },
];

/** `fees` of the wire. */
export const tariffToWire = (tariff: Tariff): Payouts['fees'] =>
  tariff.map(({ upToKobo, feeKobo }) => ({
    upTo: upToKobo === null ? null : koboToNaira(upToKobo),
    fee: koboToNaira(feeKobo),
  }));

export const tariffFromWire = (fees: Payouts['fees']): Tariff =>
  fees.map(({ upTo, fee }) => ({
    upToKobo: upTo === null ? null : nairaToKobo(upTo),
    feeKobo: nairaToKobo(fee),
  }));

/** The fee of a payout; it comes on top of `amountKobo`. */
export function payoutFee(amountKobo: number, tariff: Tariff = payoutTariff): number {
  const step = tariff.find(({ upToKobo }) => upToKobo === null || amountKobo <= upToKobo);
  return step?.feeKobo ?? 0;
}

/**
 * 'All of it': the largest amount that with its fee fits into `availableKobo`. 0 if not even the
 * smallest payout does.
 */
export function largestPayout(availableKobo: number, tariff: Tariff = payoutTariff): number {
  const fitting = tariff.map(({ upToKobo, feeKobo }) =>
    Math.min(availableKobo - feeKobo, upToKobo ?? nairaToKobo(maximumPayoutNaira)),
  );
  // Just above the end of a step nothing more fits: the fee grows by more than the amount.
  const fits = (amountKobo: number) =>
    amountKobo >= nairaToKobo(minimumPayoutNaira) &&
    amountKobo + payoutFee(amountKobo, tariff) <= availableKobo;
  return Math.max(0, ...fitting.filter(fits));
}

const quarterMs = 15 * 60_000;
const usualMs = 2 * 60 * 60_000;

/** When a payout of `at` has usually arrived: two hours later, to the next quarter of an hour. */
export function expectedArrival(at: Date): Date {
  return new Date(Math.ceil((at.getTime() + usualMs) / quarterMs) * quarterMs);
}
