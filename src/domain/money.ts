/** Money is integer kobo inside and naira on the wire (DESIGN.md section 6). */

const koboPerNaira = 100;

/** 1500.5 → 150050. Throws RangeError for what is not a safe number of kobo. */
export function nairaToKobo(naira: number): number {
  const kobo = Math.round(naira * koboPerNaira);
  if (!Number.isSafeInteger(kobo)) throw new RangeError(`Not an amount in naira: ${naira}`);
  return kobo;
}

/** 150050 → 1500.5 */
export function koboToNaira(kobo: number): number {
  return kobo / koboPerNaira;
}

const whole = new Intl.NumberFormat('en-NG', {
  minimumFractionDigits: 0,
  maximumFractionDigits: 0,
});
const withKobo = new Intl.NumberFormat('en-NG', {
  minimumFractionDigits: 2,
  maximumFractionDigits: 2,
});

/** 150000 → '₦1,500'; 150050 → '₦1,500.50'; -100 → '-₦1' (SPEC.md section 9: ₦ with en-NG). */
export function formatNaira(kobo: number): string {
  const format = kobo % koboPerNaira === 0 ? whole : withKobo;
  return `${kobo < 0 ? '-' : ''}₦${format.format(Math.abs(kobo) / koboPerNaira)}`;
}
