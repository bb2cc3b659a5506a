/** Fields of packages and profiles as their forms call them and show their values. Pure. */
import type { PackageField, PaymentMethod } from '#contract/package.ts';
import type { ProfileChanges } from '#contract/user.ts';
import { formatDate } from '#domain/format-date.ts';
import { formatNaira, nairaToKobo } from '#domain/money.ts';

/** The same words as in the forms, which this folder cannot see; a test holds them together. */
export const fieldLabels: Record<PackageField | keyof ProfileChanges, string> = {
  pickupAddress: 'Pickup Address',
  deliveryAddress: 'Delivery Address',
  recipientName: 'Recipient Name',
  recipientPhone: 'Recipient Phone',
  recipientEmail: 'Recipient Email',
  description: 'Description',
  notes: 'Notes',
  pickupDate: 'Pickup Date',
  deliveryDate: 'Delivery Date',
  priceOffer: 'Price Offer',
  paymentMethod: 'Payment Method',
  firstName: 'First Name',
  lastName: 'Last Name',
  email: 'Email',
  phoneNumber: 'Phone Number',
  address: 'Address',
};

export const methodLabels: Record<PaymentMethod, string> = {
  cash: 'Cash on Delivery',
  app: 'Pay with App',
};

const none = 'Nothing';

export function fieldLabel(field: string): string {
  return Object.hasOwn(fieldLabels, field) ? fieldLabels[field as PackageField] : field;
}

/** A value of the wire: naira with ₦, dates in Nigeria's time. */
export function fieldValue(field: string, value: unknown): string {
  if (value === null || value === undefined || value === '') return none;
  if (field === 'priceOffer' && typeof value === 'number') return formatNaira(nairaToKobo(value));
  if (field === 'pickupDate' || field === 'deliveryDate') return formatDate(String(value), none);
  if (field === 'paymentMethod' && Object.hasOwn(methodLabels, String(value))) {
    return methodLabels[value as PaymentMethod];
  }
  return String(value);
}
