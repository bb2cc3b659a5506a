/**
 * Phone numbers: E.164 on the wire and in the database, shown as people write them. Without a country
 * code a number is Nigerian.
 */

/** Of E.164, without the country's digits: longer is not a number anywhere. */
const foreign = /^[1-9]\d{7,14}$/;
const nigerian = /^0?([1-9]\d{9})$/;

/** What people type between the digits; '(0)' is dialled domestically only. */
const separators = /\(0\)|[\s().\-/]/g;

/** '0803 123 4567' → '+2348031234567'; null: it cannot be a number. */
export function readPhone(text: string): string | null {
  const bare = text.replace(separators, '');
  if (!/^\+?\d+$/.test(bare)) return null;
  const digits = bare.replace(/^(\+|00)/, '');
  const isInternational = digits !== bare;
  const national = digits.startsWith('234') ? digits.slice(3) : isInternational ? '' : digits;
  const [, number] = nigerian.exec(national) ?? [];
  if (number !== undefined) return `+234${number}`;
  const isForeign = isInternational && !digits.startsWith('234') && foreign.test(digits);
  return isForeign ? `+${digits}` : null;
}

/**
 * '+2348031234567' → '0803 123 4567', however a row or a form spells it; other countries' in E.164,
 * and what is no number as it is.
 */
export function showPhone(text: string): string {
  const phone = readPhone(text) ?? text;
  const [, start, middle, end] = /^\+234(\d{3})(\d{3})(\d{4})$/.exec(phone) ?? [];
  return start === undefined ? phone : `0${start} ${middle} ${end}`;
}
