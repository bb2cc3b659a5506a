/** What a package's page says beside its facts: what is next, and the bar at the thumb. */
import type { EventType } from '#contract/event.ts';
import { localized } from '#messages/localized.ts';

export const packageDetail = localized('packageDetail', {
  timeline: {
    label: 'Timeline',
    done: {
      created: 'Created',
      edited: 'Edited',
      offer_changed: 'Offer changed',
      accepted: 'Accepted',
      assigned: 'Courier assigned',
      unassigned: 'Back on offer',
      picked_up: 'Picked up',
      arrived: 'At the drop-off',
      attempt_failed: 'Not delivered',
      return_started: 'On its way back',
      returned: 'Returned',
      delivered: 'Delivered',
      cancelled: 'Cancelled',
      reopened: 'Opened again',
      paid: 'Paid',
      refunded: 'Refunded',
      handover: 'Handed to another courier',
      confirmed: 'Confirmed',
      corrected: 'Taken back',
      disputed: 'Problem reported',
      resolved: 'Problem settled',
    } satisfies Record<EventType, string>,
    ahead: {
      accepted: 'Waiting for a courier',
      picked_up: 'Pickup',
      delivered: 'Delivery',
      returned: 'Return to the sender',
    } satisfies Partial<Record<EventType, string>>,
    you: 'You',
    takenBack: 'Taken back',
    unsure: (time: string) => `about ${time}`,
    unsureNote: '“About”: by the phone’s clock, which may be wrong.',
    showAll: (count: number) => `Show all ${count}`,
    showLess: 'Show less',
  },
  sendAgain: 'Send again',
  cash: {
    collect: (amount: string) => `Collect ${amount}`,
    byCourier: (recipient: string) => `Cash on delivery, from ${recipient}.`,
    byOthers: 'You confirm that it arrived. Was it paid in cash?',
    collected: 'Cash collected',
    notCollected: 'Not collected',
    paid: (amount: string) => `${amount} paid`,
    notPaid: 'Not paid',
  },
});
