/** What an integrator needs to know of a call and its parameters beyond their shapes. Markdown. */
import type { RouteName } from '#contract/routes.ts';

const changes =
  'Leave `since` out for the plain list. To follow it, begin with an empty `since=` and go on with the `Sync-Cursor` of each answer, at once while `Sync-More` is true. Rows that are gone, or no longer yours to see, come as `{ _id, removed: true }`. Where `Sync-Reset` is true a full list begins: at its last page, what it did not name is gone.';

export const operationNotes: Partial<Record<RouteName, string>> = {
  signUp: 'Answers a session at once: an access token for 15 minutes, and the refresh cookie.',
  login:
    '`trustDevice` keeps the session for 30 days of use instead of the browser session. An access token lives for 15 minutes.',
  refresh:
    'Each use trades the cookie for a new one. One that is used again later than half a minute after its use ends the session.',
  listUsers: `Admins see everybody, others themselves and whom they share a package with. ${changes}`,
  listPackages: `Senders see their own, couriers what is on offer and what they carry, admins all. Contacts are withheld from couriers until they have accepted. ${changes}`,
  patchUser:
    "A `baseVersion` makes an edit of a field that was changed since a 409 `conflict` with the user as they are. A changed password ends the user's other sessions; of one's own, the answer carries the refresh cookie with which this one goes on, and those from before are void.",
  createPackage:
    "An `_id` of your own (a UUID) lets you speak of the package before it is answered. With `paymentMethod` 'app' the price is held where the sender's balance covers it; else the package is unpaid.",
  patchPackage:
    "`deliveryStatus` is 'Pending', 'In Transit', 'Delivered' or 'Cancelled'. A courier accepts with their own id as `deliveryPersonId` and 'In Transit', rejects with null and 'Pending', delivers with 'Delivered'; a sender cancels with 'Cancelled'. `paymentStatus` 'paid' holds the price of an app package from the sender's balance (402 `insufficient_funds` says what is missing), or says that cash was received; 'unpaid' takes it back. A `baseVersion` makes an edit of a field that was changed since a 409 `conflict` with the package as it is; so it does an accept where the price, the method of payment, an address, a pin or a date was changed since. `pickupLocation` and `deliveryLocation` are pins on the map, rounded to 6 decimals; null takes one away.",
  adjustBalance: '`amount` below zero takes. The reason is in the history of the user.',
  initiatePayment:
    'Send the payer to `authorization_url`. The provider sends them back to `/deposit?reference=…`; then verify.',
  verifyPayment:
    'Asks the provider and credits at most once, however often it is asked and whatever the webhook did.',
  paymentWebhook:
    'For the provider: enter this address as its webhook. A repeat credits nothing again.',
  listPayments: 'Newest first; `before` is the number of the last entry that you have.',
  pushOffer:
    '`publicKey` is the applicationServerKey of PushManager.subscribe. Admins are notified of nothing.',
  putPush:
    "The endpoint and keys of a browser's PushSubscription. A second call with the same endpoint replaces the first. `area` is about `newPackage` alone; packages whose place is not known are told of everywhere.",
};

export const parameterNotes: Record<string, string> = {
  since: 'A Sync-Cursor; empty to begin; absent for the plain list.',
  id: 'A UUID.',
  limit: 'Entries of a page, 1 to 100.',
  before: 'Only what came before this entry.',
  reference: 'Of a top-up, as `initiate` answered it.',
};
