/**
 * Phone numbers: E.164 on the wire and in the database, shown as people write them
 * (domain/contact-links). Without a country code a number is Nigerian.
 */

/** What people type between the digits; '(0)' is dialled domestically only. */
const separators = /\(0\)|[\s().\-/]/g;
const nigerian = /^(?:\+?234)?0?((?!234)[1-9]\d{9})$/;
/** Of E.164: longer is not a number anywhere. */
const foreign = /^\+(?!234)[1-9]\d{7,14}$/;

/** '0803 123 4567' → '+2348031234567'; null: it cannot be a number. */
export function readPhone(text: string): string | null {
  const bare = text.replace(separators, '').replace(/^00/, '+');
  const national = nigerian.exec(bare)?.[1];
  if (national) return `+234${national}`;
  return foreign.test(bare) ? bare : null;
}
