/** What cashing out offers, refuses and says. Pure; kobo. */
import type { Bank, BankAccount, Payout, Payouts } from '#contract/payout.ts';
import { amountDoubt, typedPrice } from '#domain/amount.ts';
import { isSameDay, timeText, whenText } from '#domain/dates.ts';
import { formatNaira, koboToNaira, nairaToKobo } from '#domain/money.ts';
import { largestPayout, type Tariff, tariffFromWire } from '#domain/payout.ts';
import type { Checked } from '#domain/validation.ts';
import { payouts as words } from '#messages/en/payouts.ts';

/** What may leave the balance. */
export interface Purse {
  minimumKobo: number;
  tariff: Tariff;
  /** 0: not even the smallest payout fits. */
  largestKobo: number;
}

export function purseOf({ available, minimum, fees }: Payouts): Purse {
  const tariff = tariffFromWire(fees);
  return {
    minimumKobo: nairaToKobo(minimum),
    tariff,
    largestKobo: largestPayout(nairaToKobo(available), tariff),
  };
}

const roundKobo = [1, 2, 5, 10, 20, 50, 100, 500, 1000].map((thousands) => thousands * 100_000);

/** The largest three round amounts below all of it, ascending. */
export const quickAmounts = ({ largestKobo }: Purse): number[] =>
  roundKobo.filter((kobo) => kobo < largestKobo).slice(-3);

const refused = (message: string): Checked<never> => ({
  isValid: false,
  message,
  fields: { amount: message },
});

/** '5000' or '₦5,000' → kobo. */
export function checkPayout(text: string, purse: Purse): Checked<number> {
  const typed = typedPrice(text);
  if (typed === undefined || Number.isNaN(typed)) {
    return refused(amountDoubt(text) ?? words.cashOut.noAmount);
  }
  const tooSmall = words.cashOut.tooSmall(formatNaira(purse.minimumKobo));
  // Before anything is multiplied: a typed amount may be of any size.
  if (typed < koboToNaira(purse.minimumKobo)) return refused(tooSmall);
  if (typed > koboToNaira(purse.largestKobo)) {
    return refused(words.cashOut.tooMuch(formatNaira(purse.largestKobo)));
  }
  return { isValid: true, value: nairaToKobo(typed) };
}

/** As a person types it: 150050 → '1500.50'. */
export const amountText = (kobo: number): string =>
  String(koboToNaira(kobo)).replace(/(\.\d)$/, '$10');

/** 'By 14:00 today'. */
export function arrivalText(iso: string, nowMs: number): string {
  const time = timeText(iso, nowMs).slice(-5);
  if (isSameDay(iso, nowMs)) return words.cashOut.byToday(time);
  const isTomorrow = isSameDay(iso, nowMs + 86_400_000);
  return isTomorrow
    ? words.cashOut.byTomorrow(time)
    : words.cashOut.by(whenText(iso, nowMs) ?? time);
}

/** 'tomorrow 14:05', within a sentence; a time passed or unreadable is null. */
export function waitText(iso: string, nowMs: number): string | null {
  if (!(Date.parse(iso) > nowMs)) return null;
  const text = whenText(iso, nowMs) ?? '';
  return text.charAt(0).toLowerCase() + text.slice(1);
}

/** When a new account could be used, said before it is saved; null: immediately. */
export const waitBefore = ({ waitHours }: Pick<Payouts, 'waitHours'>, nowMs: number) =>
  waitText(new Date(nowMs + waitHours * 3_600_000).toISOString(), nowMs);

/** The one action at the thumb. */
export type CashOutStep =
  | { kind: 'offline' | 'add' | 'ready' }
  | { kind: 'waits'; when: string }
  | { kind: 'tooLittle'; minimumKobo: number };

export function cashOutStep(
  payouts: Payouts,
  { isOffline, nowMs }: { isOffline: boolean; nowMs: number },
): CashOutStep {
  if (isOffline) return { kind: 'offline' };
  if (payouts.account === null) return { kind: 'add' };
  const when = waitText(payouts.account.usableFrom, nowMs);
  if (when !== null) return { kind: 'waits', when };
  const { largestKobo, minimumKobo } = purseOf(payouts);
  return largestKobo === 0 ? { kind: 'tooLittle', minimumKobo } : { kind: 'ready' };
}

/** Kobo that is between the balance and the bank, fees included. */
export const onItsWayKobo = (payouts: readonly Payout[]): number =>
  payouts
    .filter(({ status }) => status === 'pending')
    .reduce((sum, { amount, fee }) => sum + nairaToKobo(amount) + nairaToKobo(fee), 0);

/** What is said of a payout below its state; null: nothing more. */
export function stateText(payout: Payout, nowMs: number): string | null {
  const { status, amount, fee, expectedBy, reason } = payout;
  if (status === 'returned') {
    const back = words.list.returned(formatNaira(nairaToKobo(amount) + nairaToKobo(fee)));
    return reason === null ? back : `${words.list.reasons[reason]} ${back}`;
  }
  if (status === 'paid' || expectedBy === null) return null;
  return Date.parse(expectedBy) > nowMs ? arrivalText(expectedBy, nowMs) : words.list.late;
}

export const isSameAccount = (account: BankAccount | null, bankCode: string, number: string) =>
  account?.bankCode === bankCode && number.endsWith(account.accountNumberEnd);

const plainText = (text: string) => text.toLowerCase().replace(/[^a-z0-9 ]/g, '');
const smallWords = new Set(['of', 'for', 'the', 'and']);

/** 'First City Monument Bank' → 'fcmb'. */
const initialsOf = (name: string) =>
  plainText(name)
    .split(' ')
    .filter((word) => word !== '' && !smallWords.has(word))
    .map((word) => word.charAt(0))
    .join('');

/**
 * Banks by a part of their name, or by its initials as people say them: 'uba', 'fcmb', 'gtbank'.
 * Names that begin with it come first.
 */
export function searchBanks(banks: readonly Bank[], query: string): readonly Bank[] {
  const sought = plainText(query).trim();
  if (sought === '') return banks;
  const joined = sought.replaceAll(' ', '');
  const rankOf = ({ name }: Bank) => {
    const initials = initialsOf(name);
    const whole = plainText(name).replaceAll(' ', '');
    if (whole.startsWith(joined) || initials === joined) return 0;
    if (initials.startsWith(joined) || `${initials}ank` === joined) return 1;
    return sought.split(/ +/).every((word) => whole.includes(word)) ? 2 : 3;
  };
  return banks
    .map((bank) => ({ bank, rank: rankOf(bank) }))
    .filter(({ rank }) => rank < 3)
    .sort((a, b) => a.rank - b.rank)
    .map(({ bank }) => bank);
}
