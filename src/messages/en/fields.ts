/** Fields of packages and users, as forms, cards and Changes call them. */
import type { PackageField, PaymentMethod } from '#contract/package.ts';
import type { ProfileChanges } from '#contract/user.ts';
import { localized } from '#messages/localized.ts';

export const fields = localized('fields', {
  /** Identical to the forms' labels (tested). */
  labels: {
    pickupAddress: 'Pickup Address',
    deliveryAddress: 'Delivery Address',
    pickupLocation: 'Exact Pickup Place',
    deliveryLocation: 'Exact Delivery Place',
    recipientName: 'Recipient Name',
    recipientPhone: 'Recipient Phone',
    recipientEmail: 'Recipient Email',
    description: 'Description',
    notes: 'Notes',
    pickupDate: 'Pickup Date',
    deliveryDate: 'Delivery Date',
    priceOffer: 'Price Offer',
    paymentMethod: 'Payment Method',
    handover: 'Who may receive it?',
    deliveryStatus: 'Delivery Status',
    paymentStatus: 'Payment Status',
    firstName: 'First Name',
    lastName: 'Last Name',
    email: 'Email',
    phoneNumber: 'Phone Number',
    address: 'Address',
    vehicle: 'Vehicle',
    password: 'Password',
    role: 'Role',
    roles: 'Role',
    active: 'Status',
  } satisfies Record<PackageField | keyof ProfileChanges, string> & Record<string, string>,
  methods: {
    cash: 'Cash on Delivery',
    app: 'Pay with App',
  } satisfies Record<PaymentMethod, string>,
  optional: 'Optional',
  isOptional: (label: string) => `${label} (optional)`,
  none: 'None',
  /** To a flag. */
  answers: { yes: 'Yes', no: 'No' },
});
