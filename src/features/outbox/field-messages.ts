/** Labels and values of package and profile fields, as their forms show them. Pure. */

import type { PackageField, PaymentMethod } from '#contract/package.ts';
import { showPhone } from '#domain/contact-links.ts';
import { formatDate } from '#domain/dates.ts';
import { isLocation, shortLocation } from '#domain/location.ts';
import { formatNaira, nairaToKobo } from '#domain/money.ts';
import { packageFields } from '#domain/package-fields.ts';
import { fields } from '#messages/en/fields.ts';

const { labels, methods, none } = fields;

export function fieldLabel(field: string): string {
  return Object.hasOwn(labels, field) ? labels[field as PackageField] : field;
}

/** In a profile, only the phone number has a format of its own. */
const kindOf = (field: string) =>
  Object.hasOwn(packageFields, field)
    ? packageFields[field as PackageField].kind
    : field === 'phoneNumber' && 'phone';

/** Formats a wire value: naira with ₦, dates in Nigerian time. */
export function fieldValue(field: string, value: unknown): string {
  if (value === null || value === undefined || value === '') return none;
  const kind = kindOf(field);
  if (typeof value === 'boolean') return fields.answers[value ? 'yes' : 'no'];
  if (kind === 'price') return formatNaira(nairaToKobo(Number(value)));
  if (kind === 'date') return formatDate(String(value), none);
  if (kind === 'phone') return showPhone(String(value));
  if (field === 'paymentMethod' && Object.hasOwn(methods, String(value))) {
    return methods[value as PaymentMethod];
  }
  return isLocation(value) ? shortLocation(value) : String(value);
}
