/** Names of a delivery's steps, and reasons for a failed attempt. */
import type { Fault, Progress } from '#contract/event.ts';
import { localized } from '#messages/localized.ts';
import { plural } from '#messages/plural.ts';
import { attemptReasonWords } from './push-messages.ts';

export const deliverySteps = localized('deliverySteps', {
  title: 'Delivery',
  pickUp: 'Picked up',
  /** Beside 'Package Delivered', before the pickup is recorded. */
  already: 'Already delivered?',
  arrive: 'I have arrived',
  arriveAgain: 'I’m here again',
  failAttempt: 'Could not deliver',
  startReturn: 'Return to sender',
  finishReturn: 'Package returned',
  progress: {
    picked_up: 'Picked up',
    arrived: 'At the drop-off',
    attempted: 'Not delivered',
    returning: 'On its way back',
  } satisfies Record<Exclude<Progress, 'accepted'>, string>,
  attempts: (count: number) =>
    plural('en', count, { one: '1 attempt', other: `${count} attempts` }),
  /** On the way to the door again. */
  nthAttempt: (nth: number) =>
    `${nth}${({ 2: 'nd', 3: 'rd' } as Record<number, string>)[nth] ?? 'th'} attempt`,
  because: (reason: string) => `Not delivered: ${reason}`,
  returned: 'Returned to the sender',
  returnClaimed: 'Returned, says the sender',
  photoMissing: 'Photo missing',
  disputed: 'Problem reported',
  attempt: {
    title: 'Could not deliver',
    faults: {
      recipient: 'The recipient',
      sender: 'The sender or the address',
      courier: 'The package or your vehicle',
      none: 'The way, or something else',
    } satisfies Record<Fault, string>,
    noReason: 'Choose what happened.',
    note: 'Note',
    noNote: 'Describe what happened.',
    save: 'Report not delivered',
    busy: 'Saving...',
    cancel: 'Cancel',
  },
  returnQuestion: {
    title: 'Return to sender?',
    byCourier: 'You bring the package back to its sender, who confirms it.',
    byOthers: 'The courier brings the package back.',
  },
  reasons: attemptReasonWords,
} as const);
