/** Separate, because the service worker bundles it. */
import type { ReasonCode } from '#contract/event.ts';

export const pushMessages = {
  newPackage: { title: 'New package available', body: (about: string) => about },
  assigned: { title: 'You’ve been assigned a package', body: (about: string) => about },
  accepted: {
    title: 'Your package has a courier',
    body: (about: string) => `${about} is in transit.`,
  },
  delivered: {
    title: 'Your package was delivered',
    body: (about: string) => `${about} has arrived.`,
  },
  pickedUp: {
    title: 'Your package was picked up',
    body: (about: string) => `${about} is on its way.`,
  },
  attemptFailed: {
    title: 'Your package was not delivered',
    body: (about: string, reason: string) => (reason ? `${about}: ${reason}.` : about),
  },
  returned: {
    title: 'Your package came back',
    body: (about: string) => `${about} was returned to you.`,
  },
  rejected: {
    title: 'Your package is available again',
    body: (about: string) => `The courier dropped ${about}.`,
  },
  /** Shown if the recipient is not signed in here; reveals nothing. */
  unnamed: { title: 'Kaya', body: 'Open the app to see what’s new.' },
} as const;

/** Why a delivery was not possible. */
export const attemptReasonWords = {
  recipient_unavailable: 'Recipient unavailable',
  phone_unreachable: 'Phone not answered',
  refused: 'Recipient refused it',
  payment_not_ready: 'Payment not ready',
  no_code: 'Recipient has no code',
  reschedule_requested: 'Recipient wants another time',
  closed: 'Place is closed',
  wrong_address: 'Wrong address',
  cannot_locate: 'Address not found',
  prohibited_item: 'Not allowed to carry it',
  not_ready: 'Package not ready',
  item_mismatch: 'Not what was agreed',
  too_large: 'Too large',
  damaged: 'Package damaged',
  lost: 'Package lost',
  vehicle_breakdown: 'Vehicle broke down',
  unsafe_or_blocked: 'Unsafe or blocked',
  weather: 'Weather',
  other: 'Something else',
} satisfies Record<ReasonCode, string>;
