/** Money is integer kobo inside and naira on the wire. */

const koboPerNaira = 100;

/** 1500.5 → 150050. Throws RangeError unless the result is a safe integer. */
export function nairaToKobo(naira: number): number {
  const kobo = Math.round(naira * koboPerNaira);
  if (!Number.isSafeInteger(kobo)) throw new RangeError(`Not an amount in naira: ${naira}`);
  return kobo;
}

/** 150050 → 1500.5 */
export function koboToNaira(kobo: number): number {
  return kobo / koboPerNaira;
}

/** A percentage of an amount, rounded to the kobo; half a kobo is rounded up. */
export function shareKoboOf(amountKobo: number, percent: number): number {
  return Math.round((amountKobo * percent) / 100);
}

const thousands = /\B(?=(\d{3})+$)/g;

/** 12345 → '12,345', like Intl.NumberFormat in en-NG. A non-negative integer. */
export function formatCount(count: number): string {
  return String(count).replace(thousands, ',');
}

/**
 * Integer kobo: 150000 → '₦1,500'; 150050 → '₦1,500.50'; -100 → '−₦1'. Same output as
 * Intl.NumberFormat but for the minus sign, whose creation takes 60 ms on a cheap phone, before the first card appears.
 */
export function formatNaira(kobo: number): string {
  const naira = Math.trunc(Math.abs(kobo) / koboPerNaira);
  const rest = Math.abs(kobo) % koboPerNaira;
  const decimals = rest === 0 ? '' : `.${String(rest).padStart(2, '0')}`;
  return `${kobo < 0 ? '−' : ''}₦${formatCount(naira)}${decimals}`;
}
