/** What a package's page says beside its facts: what is next, and the bar at the thumb. */
import { localized } from '#messages/localized.ts';

export const packageDetail = localized('packageDetail', {
  timeline: {
    label: 'Timeline',
    created: { done: 'Created', ahead: 'Created' },
    accepted: { done: 'Accepted', ahead: 'Waiting for a courier' },
    pickedUp: { done: 'Picked up', ahead: 'Pickup' },
    attempted: { done: 'Not delivered', ahead: 'Not delivered' },
    delivered: { done: 'Delivered', ahead: 'Delivery' },
    returned: { done: 'Returned', ahead: 'Return to the sender' },
    cancelled: { done: 'Cancelled', ahead: 'Cancelled' },
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
