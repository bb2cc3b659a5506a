/** What the package screens say: SPEC.md sections 2, 4, 6 and 8. */
import { errorCatalogue, isErrorCode } from '#contract/errors.ts';
import type { PaymentMethod, PaymentStatus } from '#contract/package.ts';

export const words = {
  loading: 'Loading packages',
  storageSilent: 'This phone’s storage does not answer. Kaya keeps trying.',
  back: 'Back',
  tracking: 'Tracking',
  deliveries: 'Deliveries',
  tabs: { pending: 'Pending', inTransit: 'In Transit' },
  empty: {
    noPending: 'No pending packages found.',
    ownNonePending: 'You have no pending packages',
    ownNone: "You haven't sent any packages yet",
    ownAllPending: 'All your packages are pending',
    assignedOnlyPending: 'You only have pending packages',
    assignedNone: 'No packages are currently assigned to you',
  },
  loadFailed: 'Failed to load packages.',
  detailFailed: 'Error: Failed to load package details',
  noData: 'No package data found',
  needsNetwork: 'This needs the network. Please try again when you are connected.',

  noNumber: 'New package',
  requested: 'Accept requested',
  waiting: 'Waiting to send',
  sending: 'Sending',
  toChanges: 'Go to Changes',
  refusedCreations: (count: number) =>
    count === 1 ? '1 new package needs attention' : `${count} new packages need attention`,
  attention: 'Needs attention',
  notSpecified: 'Not specified',
  methods: { cash: 'Cash on Delivery', app: 'Pay with App' } satisfies Record<
    PaymentMethod,
    string
  >,
  payment: { unpaid: 'Unpaid', paid: 'Paid' } satisfies Record<PaymentStatus, string>,

  viewDetails: 'View Details',
  accept: 'Accept Delivery',
  alreadyAssigned: 'Already Assigned',
  pickup: 'Pickup',
  delivery: 'Delivery',

  profileIncomplete: {
    title: 'Profile Incomplete',
    text: 'Please complete your profile information before creating a package.',
    update: 'Update Profile',
  },

  fields: {
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
    deliveryStatus: 'Delivery Status',
    paymentStatus: 'Payment Status',
  },
  hints: { optional: 'Optional', price: 'In naira (₦)', description: 'What is it, how big is it?' },
  choose: 'Choose one',

  create: {
    title: 'New Package',
    steps: ['Enter Locations', 'Recipient Details', 'Product Information', 'Pricing and Payment'],
    stepOf: (step: number) => `Step ${step} of 4`,
    next: 'Next',
    previous: 'Previous',
    submit: 'Create Package',
    busy: 'Creating Package...',
    saved: 'Your package is saved. You find it under Tracking.',
  },

  detail: {
    title: 'Package Details',
    sender: 'Sender',
    shipment: 'Shipment',
    recipient: 'Recipient',
    courier: 'Delivery Personnel',
    noCourier: 'Not assigned yet',
    name: 'Name',
    phone: 'Phone',
    email: 'Email',
    price: 'Price Offer',
    number: 'Package Number',
    created: 'Created',
    afterAccepting: 'Shown after you accept this delivery.',
    notGiven: 'Not given',
    edit: 'Edit',
    editSender: 'Edit sender',
    editShipment: 'Edit shipment',
    editCourier: 'Edit delivery personnel',
    reject: 'Reject Delivery',
    deliver: 'Package Delivered',
    delete: 'Delete Package',
  },

  rejectQuestion: {
    title: 'Reject Delivery Assignment',
    text: 'Are you sure you want to reject this delivery assignment?',
  },
  deleteQuestion: {
    title: 'Delete Package',
    text: 'This action cannot be undone. The package will be permanently removed.',
  },
  confirm: 'Confirm',
  cancel: 'Cancel',

  edit: {
    title: 'Edit Package',
    recipientPart: 'Recipient',
    packagePart: 'Package',
    save: 'Save Changes',
    busy: 'Saving...',
    success: 'Package updated successfully!',
    failure: 'Update failed',
    nothing: 'Nothing was changed.',
    statuses: { pending: 'Pending', 'in-transit': 'In Transit', delivered: 'Delivered' },
    notYet: (status: string) => `${status}: not from the state that the package is in now.`,
    refused: (status: string, reason: string) => `${status}: ${reason}`,
    locked: 'Part of this package can no longer be changed.',
  },
} as const;

/** The sentence for a refusal of the policy. */
export function refusalSentence(code: string): string {
  return isErrorCode(code) ? errorCatalogue[code].message : errorCatalogue.forbidden.message;
}
