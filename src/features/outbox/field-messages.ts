/** Labels and values of package and profile fields, as their forms show them. Pure. */

import type { PackageField, PaymentMethod } from '#contract/package.ts';
import { showPhone } from '#domain/contact-links.ts';
import { formatDate } from '#domain/dates.ts';
import { isLocation, shortLocation } from '#domain/location.ts';
import { formatNaira, nairaToKobo } from '#domain/money.ts';
import { fields } from '#messages/en/fields.ts';

const { labels, methods, none } = fields;

export function fieldLabel(field: string): string {
  return Object.hasOwn(labels, field) ? labels[field as PackageField] : field;
}

/** Formats a wire value: naira with ₦, dates in Nigerian time. */
export function fieldValue(field: string, value: unknown): string {
  if (value === null || value === undefined || value === '') return none;
  if (field === 'priceOffer' && typeof value === 'number') return formatNaira(nairaToKobo(value));
  if (field === 'pickupDate' || field === 'deliveryDate') return formatDate(String(value), none);
  if (field === 'paymentMethod' && Object.hasOwn(methods, String(value))) {
    return methods[value as PaymentMethod];
  }
  if (field === 'recipientPhone' || field === 'phoneNumber') return showPhone(String(value));
  return isLocation(value) ? shortLocation(value) : String(value);
}
